/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_TEXT_HIDDEN_H
#define ASSAY_PROTO_TEXT_HIDDEN_H

#include <stdbool.h>

#include <jansson.h>

/*
 * Sources among the dimensions of a space.  A job's `meta` has its point, and so these, too; not
 * everybody who may read the result may read them.
 */

/*
 * By its name ("source", "check.reference.source", "files"), or a text of several lines, or an
 * object with a source in it somewhere.
 */
bool		 hidden_is_source(const char *name, const json_t *value);

/*
 * What stands in its place: "#" and twelve digits, the same for the same source.  New reference;
 * NULL: no memory.
 */
json_t		*hidden_word(const json_t *source);

/* In an object (a job's meta): the word in the place of each source.  Returns how many. */
unsigned	 hidden_replace(json_t *members);

#endif

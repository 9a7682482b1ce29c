/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_KEPT_H
#define ASSAY_PROTO_WIRE_KEPT_H

#include <stddef.h>

#include "proto/base/fault.h"
#include "proto/json/text.h"

/*
 * Parts of a report that nobody needs to understand on their way into the result: JSON objects,
 * written by the worker as they will stand there, and not read again.  The readings are of
 * struct sample_readings.  Owned; NULL: none.
 *
 * Behind the message, each is a line: a line feed, and its text or nothing.
 */
struct kept {
	char	*technique, *evidence, *readings;
};

void		 kept_put(struct text *, const struct kept *);
/* lines: with the first line feed.  ST_BAD_REQUEST names the part. */
enum status	 kept_get(struct kept *, const char *lines, size_t bytes, struct fault *);
void		 kept_release(struct kept *);

#endif

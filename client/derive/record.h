/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DERIVE_RECORD_H
#define ASSAY_CLIENT_DERIVE_RECORD_H

#include <jansson.h>
#include <stdbool.h>

/*
 * A struct as a spec describes it: its members in their order, which lie as C lays them.  Members
 * of an inner struct are listed as outer_inner.  What lies otherwise cannot be described.
 */
struct record_made {
	json_t	*members;		/* owned; [name, type(, count)]; NULL: no struct */
	size_t	 bytes, align;		/* as a spec lays the members so far */
};

/* The place of the next member must be `offset`.  NULL, or why a spec cannot have it. */
const char	*record_add(struct record_made *, const char *name, const char *type,
		    size_t count, size_t offset);
/* All members are there.  NULL, or why the spec's struct would be another one. */
const char	*record_check(const struct record_made *, size_t bytes);
void		 record_release(struct record_made *);

#endif

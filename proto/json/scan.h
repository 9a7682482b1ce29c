/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_JSON_SCAN_H
#define ASSAY_PROTO_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * JSON as it is written: which bytes are which member.  What is found is valid JSON (RFC 8259) in
 * UTF-8, at most SCAN_MAX_DEPTH deep.  Nothing is copied.  libassay has this file, too.
 */
enum { SCAN_MAX_DEPTH = 256 };

/* A value's bytes, without spaces around it; of zero bytes: there is none. */
struct span {
	const char	*at;
	size_t		 bytes;
};

/* The whole text is one value; false: it is none. */
bool		 scan_text(const char *text, size_t bytes, struct span *);

bool		 scan_is_object(const struct span *);
bool		 scan_is_array(const struct span *);
bool		 scan_is_empty(const struct span *);	/* the object or array has nothing in it */

/*
 * The members of a scanned object, or the elements of an array (name: empty), in order.  Start with
 * *at zeroed; false: there is no more.
 */
bool		 scan_next(const struct span *of, size_t *at, struct span *name,
		    struct span *value);

/* The member of this name, if it is there once; otherwise empty. */
struct span	 scan_member(const struct span *object, const char *name);

/* A string without quotes and escapes, cut to fit, terminated; "": it is none. */
void		 scan_string(const struct span *, char *buf, size_t bytes);
bool		 scan_integer(const struct span *, int64_t *);

/* A copy, terminated, for free(3); NULL: no memory. */
char		*scan_copy(const struct span *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_NAME_H
#define ASSAY_PROTO_BASE_NAME_H

#include <stddef.h>

#include "proto/base/fault.h"

/* Names in C: identifiers of ASCII letters, digits and `_`, at most NAME_MAX_BYTES long. */
enum { NAME_MAX_BYTES = 127 };

bool		 name_starts(const char *name, const char *prefix);
/* `names` ends with NULL. */
bool		 name_is_among(const char *name, const char *const *names);
bool		 name_is_printable(const char *);	/* ASCII without control characters, of any
							 * length */
size_t		 name_length(const char *);		/* of the identifier that starts here; 0:
							 * none does */
/* Is the name a word of the text, not only a part of one? */
bool		 name_is_in(const char *name, const char *text, size_t bytes);

/*
 * A spec's param becomes a macro (-DNAME=value) in front of the driver.  So it may not be a word of
 * C, an attribute (`always_inline`), the name of a type (*_t), a function of expressions, or one of
 * the driver's own names (rt_*, drv_*).  The fault says which; it has no member.
 */
enum status	 name_check_param(const char *, struct fault *);

/*
 * A routine or its argument: an identifier that is no keyword and does not start with rt_ or drv_.
 */
enum status	 name_check_routine(const char *, struct fault *);

/*
 * A file below a folder, "table.h" or "inc/table.h": letters, digits and _ . + -, each part begins
 * with a letter, a digit or _.  So no name leads upward, is hidden or looks like an option.
 */
enum status	 name_check_file(const char *, size_t max_bytes, size_t max_depth, struct fault *);

/* A library on the administrator's list: the same characters. */
enum status	 name_check_library(const char *, struct fault *);

/* A variant's own macro: an identifier other than `defined`. */
enum status	 name_check_define(const char *, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_MEMBER_H
#define ASSAY_CLIENT_PRINT_MEMBER_H

#include <stdint.h>

#include <jansson.h>

/* Members that may be missing. */
const char	*member_text(const json_t *object, const char *name);		/* "" */
double		 member_number(const json_t *object, const char *name);		/* NaN */

/* A number as text, in FORMAT_BYTES; "" for 0 and for none. */
const char	*member_count(const json_t *object, const char *name, char *buf);

/* The object's `user_name`, else its number `number` as text, in FORMAT_BYTES. */
const char	*member_user(const json_t *object, const char *number, char *buf);

/*
 * "9 ok, 1 crashed" of an object of counts, without zeros and those in `but` (NULL-terminated), as
 * far as it fits; "": there is none.  Returns the buffer.
 */
char		*member_counts(const json_t *counts, const char *const *but, char *buf,
		    size_t bytes);

/* As format_cpus, of an object's `cpu` and `cpus`. */
char		*member_cpus(const json_t *object, char *buf);

#endif

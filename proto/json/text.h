/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_JSON_TEXT_H
#define ASSAY_PROTO_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/*
 * JSON as it is written, compact, without a tree in between: a result has four hundred values, and
 * one is written for each job.  Out of memory is noticed at the end, by text_take.
 */
struct text {
	char	*at;			/* owned */
	size_t	 bytes, room;
	bool	 failed;
};

void		 text_raw(struct text *, const char *, size_t bytes);
void		 text_char(struct text *, char);
void		 text_string(struct text *, const char *);	/* bytes that are no UTF-8 become
								 * '?' */
void		 text_integer(struct text *, int64_t);
void		 text_real(struct text *, double);		/* null for NaN and infinities,
								 * which JSON has not */
void		 text_flag(struct text *, bool);
void		 text_null(struct text *);
void		 text_json(struct text *, const json_t *);	/* members sorted: equal values are
								 * equal texts */

/* Before each member or element but the first. */
void		 text_comma(struct text *);
void		 text_name(struct text *, const char *);	/* a comma where one is due, and
								 * "name": */

/* The text, terminated, the caller's; NULL: out of memory. */
char		*text_take(struct text *);

#endif

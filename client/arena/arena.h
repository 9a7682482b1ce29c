/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_ARENA_ARENA_H
#define ASSAY_CLIENT_ARENA_ARENA_H

#include <stddef.h>

/*
 * Memory that is taken piece by piece, given back all at once.  Pieces are zeroed.  A program
 * that makes one document and ends has nothing to save: without memory it prints so and exits.
 */
struct arena;

struct arena	*arena_new(void);
void		 arena_free(struct arena *);		/* NULL is fine */
void		*arena_take(struct arena *, size_t bytes);
/* Room for `n` more pointers behind the `have` of an array that grew by this alone. */
void		*arena_grow(struct arena *, void *array, size_t have, size_t element_bytes);
char		*arena_text(struct arena *, const char *text, size_t bytes);
char		*arena_format(struct arena *, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

#endif

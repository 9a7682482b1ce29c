/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORACLE_SPACE_H
#define ORACLE_SPACE_H

#include <stddef.h>

/*
 * Layout: each operand has malloc's memory of its own, on pages as malloc gives them, at a multiple
 * of `align` that is no multiple of `misalign` (0: any), as Whaley and Castaldo's Figure 7 has it.
 */
void	*space_new(size_t bytes, size_t align, size_t misalign);	/* exits when there is no memory */
void	*space_new_huge(size_t bytes, size_t align);		/* the same on large pages */
void	 space_free(void *);

/* Mixed sign, between -1 and 1, or so small that products of them are denormal. */
void	 space_fill(double *, size_t doubles, unsigned seed, int tiny);

/* Reads all of the area, a line at a time. */
void	 space_sweep(const char *area, size_t bytes);
/* Reads one byte of each page, each from another line of its page. */
enum { SPACE_PAGE = 4096 };
void	 space_touch_pages(const char *area, size_t pages);
/* Out of all caches; -1: this machine has no instruction for it. */
int	 space_flush_lines(const void *, size_t bytes);
/* What comes after it begins when what came before has ended. */
void	 space_fence(void);
#endif

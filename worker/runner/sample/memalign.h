/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_MEMALIGN_H
#define ASSAY_WORKER_RUNNER_SAMPLE_MEMALIGN_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

#define RT_MEMALIGN_HUGE_BYTES	((uint64_t)4 << 20)	/* so large areas ask for huge pages */

/*
 * Memory for operands (MemAlign, Whaley and Castaldo, section 5.5): `bytes` zero bytes at a
 * multiple of `align`.  With a `misalign` beyond it the address is `align` past a multiple of
 * `misalign`: never aligned to it and always the same.  Right behind lies a page that may not be
 * touched: fewer than `align` (or `misalign`) bytes are between.  Large areas ask for huge pages.
 * Nothing is in memory yet.  NULL: no memory, or no such alignment.
 */
void		*rt_memalign(uint64_t bytes, uint64_t align, uint64_t misalign);
/* The same elsewhere, or in other pages. */
struct rt_memory {
	uint64_t	 piece_bytes;	/* pages as of operands of so many bytes; 0: as it is */
	char		 pages;		/* s small, h huge, l huge from 4 MiB on; 0: from 4 MiB on
					 * as the kernel gives malloc */
	uint64_t	 offset;	/* bytes that it lies behind such an address; below
					 * `align` */
	int		 node;		/* NUMA node that its pages are taken from; -1: any */
	char		*area;		/* borrowed memory that it lies in; NULL: of its own */
	uint64_t	 area_bytes;
};
void		*rt_memalign_in(const struct rt_memory *, uint64_t bytes, uint64_t align,
    uint64_t misalign);
void		 rt_memalign_free(void *);	/* NULL is fine; an area may be used again */

/*
 * Its pages from `at` on, which are about to be written: they come at once, not with a fault for
 * each.  Those that a process shares with the one it was forked from become its own.  0: a kernel
 * before 5.14 refuses, or it is but one page, and a write brings it in.
 */
int		 rt_memalign_bring_in(void *at, uint64_t bytes);

/* All that is mapped for it, guard page included; NULL for NULL. */
void		*rt_memalign_whole(const void *, uint64_t *bytes);

#pragma GCC visibility pop
#endif

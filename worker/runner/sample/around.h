/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_AROUND_H
#define ASSAY_WORKER_RUNNER_SAMPLE_AROUND_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * What a cold call meets beside cold operands: inner caches that are full of other data, so that each line that comes
 * in drives another one out, and address translations that nobody has looked up of late.  A flush instruction leaves
 * the one empty and the other warm.  So many small pages that no TLB holds them, over memory a quarter larger than
 * the inner caches, are read once; a few lines in each page make up all of that memory.
 */
struct rt_around {
	char		*at;			/* `pages` of PAGE_BYTES, read-only; owned */
	uint64_t	 pages;
	uint32_t	 lines, line_bytes;	/* read in each page */
	uint64_t	 chunk_pages;		/* every chunk_pages-th page is the same memory */
};

enum {
	RT_AROUND_PAGE		= 4096,
	RT_AROUND_REACHES	= 3,		/* of a TLB that is not quite LRU */
	RT_AROUND_ENTRIES	= 2048,		/* of the TLB, where the processor does not tell */
	RT_AROUND_MOST_PAGES	= 16384,
};

/* NULL, or why not, in words that last.  Only address space: memory comes with the first sweep. */
const char	*rt_around_make(struct rt_around *, uint64_t inner_bytes, uint32_t line_bytes);
void		 rt_around_free(struct rt_around *);
void		 rt_around_enter(const struct rt_around *);	/* in a child: all pages are there before they are needed */
void		 rt_around_sweep(const struct rt_around *);

/* Translations of small pages for data that the last TLB holds: cpuid leaves 0x18 and 2, or 0x80000006. */
uint64_t	 rt_tlb_entries(void);

#pragma GCC visibility pop
#endif

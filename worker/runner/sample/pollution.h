/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_POLLUTION_H
#define ASSAY_WORKER_RUNNER_SAMPLE_POLLUTION_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * Cache and TLB pollution.  An application that comes to cold operands after other work finds its
 * inner caches full, so that each line that comes in drives one out.  Its TLB has other
 * translations.  A flush instruction leaves the caches empty and the translations where they are.
 * So a few lines are read in each of many small pages: more pages than a TLB holds, and lines for a
 * quarter more than the inner caches.
 *
 * The other work has driven page tables to memory, too.  No instruction does that, since flushing a
 * line reads them.  So before it, all lines of `tables` are read.
 */
struct rt_pollution {
	char		*at;			/* `pages` of RT_POLLUTION_PAGE bytes; owned */
	uint64_t	 pages;
	uint32_t	 lines, line_bytes;	/* read in each page */
	uint64_t	 chunk_pages;		/* every chunk_pages-th page is the same memory */
	char		*tables;		/* in huge pages where there are any; owned */
	uint64_t	 tables_bytes;		/* 0: not made */
};

enum {
	RT_POLLUTION_PAGE		= 4096,
	RT_POLLUTION_TLBS	= 3,		/* pages for so many TLBs: one is not quite LRU */
	RT_POLLUTION_ENTRIES	= 2048,		/* of a TLB that the processor does not describe */
	RT_POLLUTION_MOST_PAGES	= 16384,
};

/*
 * NULL, or why not, in words that last.  Only address space: memory comes with the first reading.
 */
const char	*rt_pollution_make(struct rt_pollution *, uint64_t inner_bytes,
    uint32_t line_bytes);
/*
 * Memory for RUNNER_POLLUTE_ALL.  It also brings all pages in, for children to come; else each
 * child that pollutes does that.
 */
const char	*rt_pollution_make_tables(struct rt_pollution *, uint64_t bytes);
void		 rt_pollution_free(struct rt_pollution *);
void		 rt_pollution_enter(const struct rt_pollution *);	/* in a child */
/* all: RUNNER_POLLUTE_ALL */
void		 rt_pollute(const struct rt_pollution *, int all);

/*
 * Translations of small pages for data that the last TLB holds: cpuid leaves 0x18 and 2, or
 * 0x80000006.
 */
uint64_t	 rt_tlb_entries(void);

#pragma GCC visibility pop
#endif

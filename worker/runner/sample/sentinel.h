/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_SENTINEL_H
#define ASSAY_WORKER_RUNNER_SAMPLE_SENTINEL_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * Lines that are treated as the cold operands are and read right before each timed region, one after the other, so that
 * their time tells whether the treatment worked.  They are memory of their own: what is timed stays as it was.
 */
enum {
	RT_SENTINEL_LINES	= 8,		/* of a reading; one more is read untimed, for the page's translation */
	RT_SENTINEL_STEP	= 256,		/* bytes: no prefetcher brings one with another */
	RT_SENTINEL_SETS	= 4096,		/* with so many working sets or fewer, each has all lines; else one */
};

struct rt_sentinel {
	char		*home;			/* RT_SENTINEL_LINES lines and one; owned */
	char		*far;			/* so many for each working set, or one; owned */
	uint64_t	 far_sets;
};

/* 0: no memory. */
int		 rt_sentinel_make(struct rt_sentinel *, uint64_t sets);
void		 rt_sentinel_free(struct rt_sentinel *);

/* Into the cache: those of one-call methods; those of the working sets that were used just now. */
void		 rt_sentinel_touch(const struct rt_sentinel *);
void		 rt_sentinel_touch_far(const struct rt_sentinel *, const uint32_t *walk, uint64_t calls);

/* Ticks of the cycle-accurate (or else the wall) clock that reading takes; 0: there are too few sets in a sample. */
uint32_t	 rt_sentinel_read(const struct rt_sentinel *);
uint32_t	 rt_sentinel_read_far(const struct rt_sentinel *, const uint32_t *walk, uint64_t calls);

#pragma GCC visibility pop
#endif

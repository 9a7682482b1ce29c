/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_SENTINEL_H
#define ASSAY_WORKER_RUNNER_SAMPLE_SENTINEL_H

#include "proto/wire/runner_shm.h"
#include "worker/runner/sample/pollution.h"

#pragma GCC visibility push(hidden)

/*
 * Lines that are treated like the cold operands and read right before each timed region, one after
 * the other.  Their time shows whether the treatment worked.  They are memory of their own: the
 * operands stay as they were.
 */
enum {
	RT_SENTINEL_LINES	= 8,		/* of a reading; one more is read untimed, for the
						 * page's translation */
	RT_SENTINEL_STEP	= 256,		/* bytes: no prefetcher brings one with another */
	RT_SENTINEL_SETS	= 4096,		/* with so many working sets or fewer, each has all
						 * lines; else one, */
	RT_SENTINEL_MOST	= 1 << 18,	/* but no more in all: then one set in a few */
};

struct rt_sentinel {
	char		*home;			/* RT_SENTINEL_LINES lines and one; owned */
	char		*far;			/* as many, or one, for each working set; owned */
	uint64_t	 far_sets;
	struct runner_sentinel known;		/* what a reading takes; hot 0: not measured */
	int		 doubted;		/* measured again */
};

/* In the template.  Before sets are filled, which drives the lines out.  0: no memory. */
int		 rt_sentinel_make(struct rt_sentinel *, uint64_t sets);

/* Measure, once, what a reading takes from each place; the pollution is entered. */
void		 rt_sentinel_know(struct rt_sentinel *, const struct rt_pollution *,
    uint32_t line_bytes);
/*
 * Measure once more, if most of these samples look as if they had found a cache: memory may have
 * been slower than now when it was measured.  Each place keeps its least time.
 */
void		 rt_sentinel_doubt(struct rt_sentinel *, const struct rt_pollution *,
    uint32_t line_bytes, const struct runner_sample *, uint32_t samples);
void		 rt_sentinel_free(struct rt_sentinel *);

/* Out of every cache, where an instruction can do that: those of one-call methods. */
int		 rt_sentinel_flush(const struct rt_sentinel *, uint32_t line_bytes);

/* Into the cache: those of one-call methods; those of the working sets that were used just now. */
void		 rt_sentinel_touch(const struct rt_sentinel *);
void		 rt_sentinel_touch_far(const struct rt_sentinel *, const uint32_t *walk,
		    uint64_t calls);

/*
 * Ticks of the cycle-accurate (or else the wall) clock that reading takes; 0: there are too few
 * sets in a sample.
 */
uint32_t	 rt_sentinel_read(const struct rt_sentinel *);
uint32_t	 rt_sentinel_read_far(const struct rt_sentinel *, const uint32_t *walk,
		    uint64_t calls);

#pragma GCC visibility pop
#endif

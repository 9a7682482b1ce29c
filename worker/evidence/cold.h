/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_COLD_H
#define ASSAY_WORKER_EVIDENCE_COLD_H

#include <stdbool.h>

#include "proto/wire/runner_shm.h"

/*
 * Were cold samples cold?  The sentinel lines answer: they are flushed with the operands and read
 * right before each region (worker/runner/sample/sentinel.h).  Did working sets take turns?  The
 * driver's witness answers.  Pure.
 */
struct cold {
	const char	*off;			/* why the sentinel is no use; NULL: it is */
	double		 limit_ticks;		/* a reading of less was not cold */
	uint32_t	 hot_ticks;
	/* samples with a reading; samples among them that were not cold */
	unsigned	 read, warm;
	uint64_t	 sets_touched;		/* 0: not looked */
	/* lines of the operands themselves that were read; lines among them in a cache again */
	uint64_t	 proved, found;
};

/*
 * From its known readings, which each process has anew: does it separate memory from the last
 * cache, or at least from the inner ones?  What was seen before stays counted.
 */
void		 cold_judge_by(struct cold *, const struct runner_sentinel *);

/* Judge one sample's reading; 0: there is none. */
void		 cold_see(struct cold *, uint32_t ticks);

/* More than half of those with a reading, and at least three, were not cold. */
bool		 cold_was_warm(const struct cold *);

/* A walk of `calls` over `sets` met fewer of them than it should: less than half. */
bool		 cold_sets_stood(const struct cold *, uint64_t sets, uint64_t calls);

/* Lines of the operands that were read before a sample; those of them that were in a cache. */
void		 cold_prove(struct cold *, uint32_t lines, uint32_t found);

/* Calls after the flush brought lines back: more than processors do by themselves. */
bool		 cold_came_back(const struct cold *);

/* least ratio of readings from two levels, else they are not separate */
#define COLD_TIMES	1.25
enum { COLD_LEAST = 3, COLD_LEAST_LINES = 5 };

/* A flush pass leaves a tenth of a few pages in a cache; an instruction leaves nothing. */
#define COLD_BACK	0.1
#define COLD_SIGMA	4.0		/* standard deviations beyond that are no chance */
#endif

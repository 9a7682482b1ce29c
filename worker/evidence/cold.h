/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_COLD_H
#define ASSAY_WORKER_EVIDENCE_COLD_H

#include <stdbool.h>

#include "proto/wire/runner_shm.h"

/*
 * Whether a cold time was cold, by the sentinel lines that are flushed with the operands and read
 * right before each region (worker/runner/sample/sentinel.h), and whether working sets took turns,
 * by what the driver's witness saw.  Pure.
 */
struct cold {
	const char	*off;			/* why the sentinel cannot tell; NULL: it can */
	double		 limit_ticks;		/* a reading of less was not cold */
	uint32_t	 hot_ticks;
	unsigned	 read, warm;		/* samples with a reading; of them, those that were
						 * not cold */
	uint64_t	 sets_touched;		/* 0: nobody looked */
};

/*
 * From what its readings are known to take: it can tell memory from the last cache, or at least
 * from the inner ones.
 */
struct cold	 cold_judge_of(const struct runner_sentinel *);

/* Judge one sample's reading; 0: there is none. */
void		 cold_see(struct cold *, uint32_t ticks);

/* More than half of those with a reading, and at least three, were not cold. */
bool		 cold_was_warm(const struct cold *);

/* A walk of `calls` over `sets` met fewer of them than it should: less than half. */
bool		 cold_sets_stood(const struct cold *, uint64_t sets, uint64_t calls);

#define COLD_TIMES	1.25			/* the reading from farther away is so much longer, or it cannot tell */
enum { COLD_LEAST = 3 };

#endif

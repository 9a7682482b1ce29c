/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_SPREAD_H
#define ASSAY_WORKER_TAKE_SPREAD_H

#include "proto/wire/report.h"
#include "worker/plan/layout.h"
#include "worker/take/take.h"

/*
 * Taking a job's samples in several layouts, each in a fresh process.  A sweep goes through its
 * layouts twice, there and back, so that a drift is alike for all.  Differences between layouts
 * must exceed the difference of the two rounds at one layout.  Random layouts are taken once each.
 *
 * Knows a supervisor only by its functions, so that recorded samples can stand in for one.
 */
struct spread_worker {
	/*
	 * A fresh process at this layout: load, check, take samples by the plan, check, drop.
	 * *code_at: where the routine began. take: to be released in any case.
	 */
	enum status	 (*take)(void *arg, const struct layout *, struct plan *, struct take *,
	    uint64_t *code_at);
	uint64_t	 (*left_ns)(void *arg);		/* until the wall limit */
	void		*arg;
};

enum { SPREAD_ROUNDS = 2, SPREAD_LEAST = 3 };		/* of a sweep; samples of one process */

struct spread_point {
	struct layout		 layout;
	unsigned		 code_offset;		/* start of the routine mod
							 * LAYOUT_LINE_BYTES, as loaded */
	unsigned		 rounds;
	struct take_sample	*sample[SPREAD_ROUNDS];	/* owned */
	size_t			 samples[SPREAD_ROUNDS];
};

struct spread {
	struct spread_point	*point;		/* owned */
	unsigned		 points;	/* as many as were asked for */
	unsigned		 samples;	/* wanted of each process */
	struct take		 total;		/* the first process's, with the counts of all;
						 * without samples */
	bool			 cut_short;	/* the wall limit came before all were taken */
};

/*
 * For a closed plan.  Its calls are the first layout's for all.  An outcome other than ST_OK is a
 * layout's; *at has its number.  ST_NOMEM.
 */
enum status	 spread_take(struct spread *, const struct job *, struct plan *,
		    const struct spread_worker *, unsigned *at);
void		 spread_release(struct spread *);

/*
 * All processes' evidence as one take with one sample for each layout that was taken, the lower
 * median of its own.  To be released.  ST_NOMEM.
 */
enum status	 spread_medians(const struct spread *, struct take *);

/*
 * The report's `layout`, which is clear.  A fixed layout has no spread (NULL), and the report has
 * only the routine's address. false: no memory.
 */
bool		 spread_report(const struct spread *, const struct job *, uint64_t code_at,
		    struct layout_report *);

#endif

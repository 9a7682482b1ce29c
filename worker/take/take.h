/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_TAKE_H
#define ASSAY_WORKER_TAKE_TAKE_H

#include "worker/plan/plan.h"
#include "worker/take/taken.h"

/*
 * Taking samples (MultTimingSamples): finds out how many calls make one, what calling costs, and takes samples until
 * enough of them were undisturbed or the budget ends.  Knows a runner only by two functions, so that recorded samples
 * can stand in for one.
 */
/* For a closed plan; its calls are chosen when this returns.  Not ok: `reply` has the words. */
enum status	 take_samples(struct take *, struct plan *, const struct tick *, const struct take_runner *,
		    uint64_t deadline_ns, struct bench_reply *reply);

/* What one call takes as the plan has it, without what calling costs: what an open plan is closed by. */
enum status	 take_call(const struct plan *, const struct tick *, const struct take_runner *, struct bench_reply *,
		    double *call_ns);

enum {
	TAKE_EXTRA	= 20,			/* samples beyond TAKE_TIMES × those wanted may be disturbed */
	TAKE_TIMES	= 4,
	TAKE_ROOM	= 8192,			/* for those that the canary rejects */
	TAKE_BURST	= 2,			/* samples of an order after one that the canary rejected */
	TAKE_OVERHEADS	= 5,			/* the least of so many is what calling costs */
};
#define TAKE_NAP_NS	50000u			/* after a rejected sample, then twice and four times that */
#define TAKE_BATCH_NS	40000000u	/* of samples in one order: well below what the kernel's throttle allows */
#define TAKE_FIFO_NS	400000000u		/* a sample longer than this is never taken under SCHED_FIFO */

#endif

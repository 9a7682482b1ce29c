/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_TAKE_H
#define ASSAY_WORKER_TAKE_TAKE_H

#include "worker/chain/link.h"
#include "worker/plan/plan.h"
#include "worker/taken/take_clock.h"
#include "worker/taken/taken.h"

/*
 * Taking samples (MultTimingSamples): finds the calls of a sample and the cost of calling, then
 * takes samples until enough of them were undisturbed or the budget ends.  The chain of an order
 * begins here (worker/trial/pipeline.h): a runner is known only as a link.
 */

/*
 * The process is the unit of chance: addresses, pages and predictors differ from one to the next,
 * and more samples in one of them do not average that.  So a job's samples are shared out.
 */
struct take_renewal {
	/* The next samples come from another process.  Not ok: `reply` has the words. */
	enum status		 (*renew)(void *arg, struct bench_reply *);	/* NULL: no other */
	void			*arg;		/* borrowed */
	uint64_t		 cost_ns;	/* of one more process, about */
};

struct take_setting {
	struct link		 orders;	/* for measurements before the samples */
	struct link		 samples;	/* for samples that are kept */
	const struct take_clock	*clock;		/* borrowed */
	const struct tick	*tick;		/* of the job's clock; borrowed */
	struct gate		*gate;		/* of the slot; borrowed; NULL: no canary */
	struct host_evidence	*host;		/* of the job; borrowed; NULL: it is not wanted */
	struct take_rule	 rule;
	struct take_renewal	 renewal;
	uint64_t		 deadline_ns;	/* the wall limit */
	const struct race	*race;		/* borrowed; NULL: it is not asked for */
};

/*
 * For a closed plan with areas that are made; its calls are chosen when this returns.  Not ok:
 * `reply` has the words.
 */
enum status	 take_samples(struct take *, struct plan *, const struct take_setting *,
		    struct bench_reply *reply);

/*
 * Time of one call as the plan has it, without the cost of calling; it closes an open plan.  Only
 * orders, clock, tick and gate of the setting are used.
 */
enum status	 take_call(const struct plan *, const struct take_setting *, struct bench_reply *,
		    double *call_ns);

enum {
	TAKE_EXTRA	= 20,	/* samples beyond TAKE_TIMES × those wanted may be disturbed */
	TAKE_TIMES	= 4,
	TAKE_ROOM	= 8192,	/* for samples that the canary rejects */
	TAKE_BURST	= 2,	/* samples of an order after a rejected one */
	TAKE_OVERHEADS	= 5,	/* the least of these is the cost of calling */
};
#define TAKE_NAP_NS	50000u		/* after a rejected sample; then twice that, four times */
#define TAKE_BATCH_NS	40000000u	/* of samples in one order: below the kernel's throttle */
#define TAKE_FIFO_NS	400000000u	/* a longer sample is never taken under SCHED_FIFO */

#endif

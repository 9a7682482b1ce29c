/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_SHARES_H
#define ASSAY_WORKER_PLAN_SHARES_H

#include "worker/plan/plan.h"

/*
 * A job's samples are shared out to several processes (worker/take/take.h).  How many of either, if
 * the spec does not say: as many as fit in SHARES_WARM_NS or SHARES_COLD_NS, fewer samples first,
 * then fewer processes.  Six are needed for an interval of their medians, and are enough if they
 * agree (worker/stop/stop.h).  Samples of a process may take half as long as its load.  Calls that
 * take longer than SHARES_LONG_NS stay in one process: each process more has four untimed calls.
 * They have SHARES_LONG_EACH samples, unless more fit.
 */
#define SHARES_WARM_NS	50000000u
#define SHARES_COLD_NS	60000000u
#define SHARES_LONG_NS	50000000u
enum {
	SHARES_PROCESSES	= 11,
	SHARES_LEAST		= 6,		/* processes */
	SHARES_WARM_EACH	= 3,		/* samples of a process, at most */
	SHARES_COLD_EACH	= 9,		/* memory's noise is between samples, too */
	SHARES_LONG_EACH	= 7,
};

/*
 * Set the plan's samples and processes.  load_ns: what one more process costs before its samples;
 * sample_ns: one sample, with its preparation.
 */
void	 shares_settle(struct plan *, uint64_t load_ns, uint64_t sample_ns);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STOP_STOP_H
#define ASSAY_WORKER_STOP_STOP_H

#include "worker/taken/taken.h"

/*
 * When to stop sampling: after as many samples as were asked for.  If neither they nor an interval
 * were, so many processes that agree are enough (worker/plan/shares.h): the median's interval is no
 * wider than STOP_AGREE of it.  Otherwise others follow, one at a time.  If one was asked for:
 * when the median's is as narrow (daemon/judge/processes.h has whose), or there are `max_samples`,
 * or the budget is spent.  The interval is looked at when there are half as many samples again as
 * at the last look: few looks, and none at a moment that the samples choose.
 */
#define STOP_AGREE	0.02

struct stop {
	const struct plan	*plan;		/* borrowed */
	const struct gate	*gate;		/* borrowed; NULL: no canary */
	uint64_t		 since_ns;	/* when the budget for more than the first samples
						 * began; 0: not yet */
};

/*
 * At now_ns, with lost_ns of the budget gone for samples that do not count. false: go on;
 * take->wanted may have risen. true: take->ended_by has why.
 */
bool		 stop_is_due(struct stop *, struct take *, uint64_t now_ns, uint64_t lost_ns);

/*
 * Sampling ended before it was due: the wall limit came (take->cut_short), or too many samples did
 * not count.
 */
void		 stop_early(struct take *);

#endif

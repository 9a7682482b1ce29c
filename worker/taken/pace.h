/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKEN_PACE_H
#define ASSAY_WORKER_TAKEN_PACE_H

#include "worker/plan/plan.h"
#include "worker/plan/tick.h"
#include "worker/quiet/gate.h"
#include "worker/taken/taken.h"

/*
 * Divisors of samples that are normalised: the slowness of the core's clock, as far as that was not
 * the routine's doing.
 *
 * Warm samples follow the clock.  Each is brought to the fastest at which a tenth of the job's was
 * taken: a neighbour's wide vectors lower the clock for moments, the routine's own for as long as
 * it runs.  All are divided by the slowness of the clock at rest, before the routine ran, if it is
 * a step between 2 and 6 %. Beyond it is a neighbour's wide vectors again, which lower it no
 * further where the routine has such, too; nothing can be said then.  The divisor is 1 if operands
 * come from memory, because their time is not the core's.  Without a pace it is the canary's
 * reading relative to quiet.
 */
void		 pace_normalise(struct take *, const struct gate *, const struct plan *);

/*
 * The clock was slow both before the routine ran and while it did: the routine's own part is
 * unknown.
 */
bool		 pace_is_in_doubt(const struct take *, const struct plan *);

/*
 * Clock of the core beside the samples, in GHz: cycles of the pace's chain by the time that it
 * took, without that of reading the clock; the median.  0: the pace of one is not known.
 */
double		 pace_ghz(const struct take *, const struct gate *, const struct tick *);

/* Divisor of one sample, among others, up to a factor; 0: not known. */
double		 pace_slowness(const struct gate *, const struct plan *,
    const struct runner_sample *);

#endif

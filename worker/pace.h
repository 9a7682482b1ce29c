/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PACE_H
#define ASSAY_WORKER_PACE_H

#include "worker/gate.h"
#include "worker/plan.h"
#include "worker/take.h"

/*
 * By what samples are divided to be normalised: how slow the core's clock was, as far as that was not the routine's doing.
 *
 * Warm samples follow the clock.  Each is brought to the clock that is typical of the job's samples, which the routine may
 * have lowered, and all of them by how slow the clock was at rest.  (It cannot have been slower at rest than beside the
 * routine; if it seems so, it has changed since.)  Where operands come from memory their time is not the core's: 1.
 * Where the pace is not known, it is the canary's reading relative to quiet.
 */
void		 pace_normalise(struct take *, const struct gate *, const struct plan *);

/* The same of one sample among others, up to a factor; 0: not known. */
double		 pace_slowness(const struct gate *, const struct plan *, struct gate_reading);

#endif

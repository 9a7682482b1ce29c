/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_QUIET_H
#define ASSAY_WORKER_QUIET_QUIET_H

#include <jansson.h>

#include "worker/plan/tick.h"
#include "worker/quiet/gate.h"

/*
 * What a slot's gate knows of quiet, on its way to the host's record and from there to the worker after this one.
 *
 *	{ "clock": s, "tick_hz": x, "met_s": x (ago) or null,
 *	  "canary": { "base": n, "left": n, "ns": x }, "pace": { the same },
 *	  "memory": { the same, "jobs": n, "worth": x } }
 *
 * base and left are those of struct rolling_kept, and what goes back; ns is for people, that of the canary at the best
 * pace.
 */
json_t		*quiet_report(const struct gate *, const struct tick *, uint64_t now_ns);

/*
 * Begin with what was told, unless the gate has had a reading.  Of another clock, or with another rate, it is another
 * machine's: that, and what makes no sense, is ignored.  Returns whether it was taken.
 */
bool		 quiet_begin(struct gate *, const struct tick *, const json_t *told);

#endif

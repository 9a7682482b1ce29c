/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_GATE_REPORT_H
#define ASSAY_WORKER_QUIET_GATE_REPORT_H

#include "proto/wire/report.h"
#include "worker/plan/tick.h"
#include "worker/quiet/gate.h"

/*
 * A gate's knowledge of quiet, on its way to the host's record and from there to the slot's next
 * worker.  Its `ns` are for people; the canary's are at the best pace.
 */
struct gate_state	 gate_state_of(const struct gate *, const struct tick *, uint64_t now_ns);

/*
 * Begin with a predecessor's state, unless the gate has had a reading.  A state of another clock or
 * rate is another machine's; it is ignored, like a state without sense.  Returns whether it was
 * taken.
 */
bool			 gate_begin_with(struct gate *, const struct tick *,
		    const struct gate_state *);

struct canary_report	 gate_canary_report(const struct gate *, const struct tick *);

#endif

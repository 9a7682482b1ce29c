/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_GATE_STATE_H
#define ASSAY_PROTO_WIRE_GATE_STATE_H

#include "proto/json/shape.h"

/*
 * A timing slot's gate (worker/quiet/gate.h) as it has learnt: a worker reports it with each
 * timing, the daemon keeps it and gives it to the slot's next worker.  The database keeps
 * it as JSON: a new member needs a value for documents without it.
 */
struct base_state {
	uint64_t	 base, left;	/* struct rolling_kept: the base, and how many more readings
					 * it stands for */
	double		 ns;		/* the base, for people */
};

struct gate_state {
	const char		*clock;		/* that was read, and its rate: of another nothing
						 * of this holds */
	double			 tick_hz;
	double			 met_s;		/* seconds since a reading was quiet; none: no
						 * reading was */
	struct base_state	 canary, pace, memory;
};

extern const struct shape	gate_state_shape;

#endif

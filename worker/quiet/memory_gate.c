/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "worker/quiet/memory_gate.h"
#include "worker/quiet/patience.h"

#define SHARE	10u			/* the base is the 10th percentile */
#define FINE	50.0			/* steps of the clock that a reading is at least */
#define DRIFT	1.1			/* of the base, from one worker to the next */
#define LEAST_SLOPE	0.25
#define MOST_SLOPE	4.0

static double
between(double x, double least, double most)
{
	return fmin(fmax(x, least), most);
}

/* A streamer that was hardly heard says nothing of how much a heard one costs. */
void
memory_gate_calibrate(struct memory_gate *m, const struct calibrated *c, double hz)
{
	const bool	is_known = c->memory_quiet_ns > 0 && c->memory_loud_ns > 0;
	const double	loud = is_known ? c->memory_loud_ns / c->memory_quiet_ns : 0;
	const bool	was_heard = loud >= MEMORY_GATE_LEAST && c->cold_quiet_ns > 0;

	m->quiet_ticks = is_known ? c->memory_quiet_ns * hz / 1e9 : 0;
	m->limit = was_heard ? between(sqrt(loud), MEMORY_GATE_LEAST, MEMORY_GATE_MOST) :
	    MEMORY_GATE_MOST;
	m->slope = was_heard ? between((c->cold_loud_ns / c->cold_quiet_ns - 1) / (loud - 1),
	    LEAST_SLOPE, MOST_SLOPE) : 1;
}

bool
memory_gate_is_calibrated(const struct memory_gate *m)
{
	return m->quiet_ticks > 0;
}

void
memory_gate_see(struct memory_gate *m, double resolution_ticks, uint32_t ticks)
{
	if (ticks != 0 && ticks >= FINE * resolution_ticks)
		rolling_see(&m->readings, MEMORY_GATE_READINGS, ticks);
}

double
memory_gate_ratio(const struct memory_gate *m, uint32_t ticks)
{
	const double	base = memory_gate_is_calibrated(m) ? m->quiet_ticks :
			    rolling_base(&m->readings, SHARE);

	return base > 0 ? ticks / base : 0;
}

bool
memory_gate_is_quiet(const struct memory_gate *m, uint32_t ticks)
{
	return ticks != 0 && memory_gate_ratio(m, ticks) <= m->limit;
}

bool
memory_gate_is_coarse(const struct memory_gate *m)
{
	return rolling_base(&m->readings, SHARE) == 0;
}

double
memory_gate_longer(const struct memory_gate *m, double ratio)
{
	return ratio >= MEMORY_GATE_NOTED ? m->slope * (ratio - 1) : 0;
}

/* The other half is for the core. */
uint64_t
memory_gate_patience(const struct memory_gate *m, uint64_t patience_ns)
{
	return patience_ns / 2 >> m->halvings;
}

void
memory_gate_end(struct memory_gate *m, bool helped)
{
	m->halvings = patience_halve(m->halvings, helped);
}

struct rolling_kept
memory_gate_known(const struct memory_gate *m)
{
	return rolling_known(&m->readings, MEMORY_GATE_READINGS, SHARE, DRIFT);
}

void
memory_gate_begin(struct memory_gate *m, struct rolling_kept kept)
{
	rolling_keep(&m->readings, kept);
}

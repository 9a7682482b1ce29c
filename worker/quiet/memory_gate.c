/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/quiet/memory_gate.h"
#include "worker/quiet/patience.h"

#define SHARE	10u			/* the base is the 10th percentile */
#define FINE	50.0			/* steps of the clock that a reading is at least */

void
memory_gate_see(struct memory_gate *m, double resolution_ticks, uint32_t ticks)
{
	if (ticks != 0 && ticks >= FINE * resolution_ticks)
		rolling_see(&m->readings, MEMORY_GATE_READINGS, ticks);
}

double
memory_gate_ratio(const struct memory_gate *m, uint32_t ticks)
{
	uint32_t	base = rolling_base(&m->readings, SHARE);

	return base != 0 ? (double)ticks / (double)base : 0;
}

bool
memory_gate_is_quiet(const struct memory_gate *m, uint32_t ticks)
{
	return ticks != 0 && memory_gate_ratio(m, ticks) <= MEMORY_GATE_TOLERANCE;
}

bool
memory_gate_is_coarse(const struct memory_gate *m)
{
	return rolling_base(&m->readings, SHARE) == 0;
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

void
memory_gate_learn(struct memory_gate *m, double share)
{
	m->jobs += m->jobs < MEMORY_GATE_JOBS;
	m->worth += (share - m->worth) / m->jobs;
}

bool
memory_gate_helps(const struct memory_gate *m)
{
	return m->jobs >= MEMORY_GATE_JOBS && m->worth >= MEMORY_GATE_WORTH;
}

struct rolling_kept
memory_gate_known(const struct memory_gate *m)
{
	return rolling_known(&m->readings, MEMORY_GATE_READINGS, SHARE, MEMORY_GATE_TOLERANCE);
}

void
memory_gate_begin(struct memory_gate *m, struct rolling_kept kept, unsigned jobs, double worth)
{
	rolling_keep(&m->readings, kept);
	m->jobs = jobs < MEMORY_GATE_JOBS ? jobs : MEMORY_GATE_JOBS;
	m->worth = worth;
}

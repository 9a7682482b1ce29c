/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/take/memory_canary.h"

#define MOST	512u			/* samples that are looked at: pairs of them are compared */

const char *
memory_canary_off(const struct plan *plan, const struct gate *gate)
{
	if (!plan->run.memory_canary)
		return "off: not all caches are flushed";
	if (memory_gate_is_coarse(&gate->memory))
		return "off: the clock is too coarse for it, or nothing flushes a line";
	return memory_gate_helps(&gate->memory) ? NULL :
	    "off: samples that it finds loud are not known to take longer here";
}

/* Twice how many of the quiet ones took less time; an equal one counts half. */
static size_t
faster_twice(const uint64_t *quiet, size_t n, uint64_t ticks)
{
	size_t	twice = 0;

	for (size_t i = 0; i < n; i++)
		twice += 2 * (quiet[i] < ticks) + (quiet[i] == ticks);
	return twice;
}

void
memory_canary_learn(struct gate *gate, const struct take *k)
{
	uint64_t	quiet[MOST], loud[MOST];
	size_t		quiets = 0, louds = 0, twice = 0;

	for (size_t i = 0; i < k->samples && i < MOST; i++) {
		const struct take_sample	*s = &k->sample[i];

		if (s->disturbed || s->loud || s->raw.memory_canary == 0)
			continue;
		if (memory_gate_is_quiet(&gate->memory, s->raw.memory_canary))
			quiet[quiets++] = s->raw.ticks;
		else
			loud[louds++] = s->raw.ticks;
	}
	if (quiets < MEMORY_CANARY_LEAST || louds < MEMORY_CANARY_LEAST)
		return;
	for (size_t i = 0; i < louds; i++)
		twice += faster_twice(quiet, quiets, loud[i]);
	memory_gate_learn(&gate->memory, (double)twice / 2 / (double)quiets / (double)louds);
}

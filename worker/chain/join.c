/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>

#include "worker/chain/join.h"

/* Relative to the pace, if both have one. */
static bool
is_worse(uint32_t canary, uint32_t pace, uint32_t than_canary, uint32_t than_pace)
{
	if (pace == 0 || than_pace == 0)
		return canary > than_canary;
	return (uint64_t)canary * than_pace > (uint64_t)than_canary * pace;
}

void
join_samples(struct runner_sample *to, const struct runner_sample *other)
{
	to->faults += other->faults;
	to->switches += other->switches;
	to->migrations += other->migrations;
	to->proved += other->proved;
	to->found += other->found;
	if (is_worse(other->canary_before, other->pace_before, to->canary_before,
	    to->pace_before)) {
		to->canary_before = other->canary_before;
		to->pace_before = other->pace_before;
	}
	if (is_worse(other->canary_after, other->pace_after, to->canary_after, to->pace_after)) {
		to->canary_after = other->canary_after;
		to->pace_after = other->pace_after;
	}
	if (other->memory_canary > to->memory_canary)
		to->memory_canary = other->memory_canary;
}

static void
add_bins(uint16_t *to, const uint16_t *other)
{
	for (unsigned i = 0; i < RUNNER_BINS; i++)
		to[i] = (uint16_t)(to[i] + other[i] < UINT16_MAX ? to[i] + other[i] : UINT16_MAX);
}

static void
add_lines(struct runner_lines *to, const struct runner_lines *other, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		add_bins(to[i].single, other[i].single);
		add_bins(to[i].chain, other[i].chain);
	}
}

void
join_proofs(struct runner_proof *to, const struct runner_proof *other)
{
	if (other->proofs == 0)
		return;
	to->proofs += other->proofs;
	add_lines(to->known, other->known, RUNNER_NLEVELS);
	add_lines(to->operand, other->operand, RUNNER_OPERANDS);
}

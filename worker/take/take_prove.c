/* SPDX-License-Identifier: Apache-2.0 */
/* A time of operands that were elsewhere is a fault of ours, and no time. */
#include <stdio.h>

#include "worker/evidence/places.h"
#include "worker/take/take_parts.h"

static enum status
refuse_warm(struct taking *t)
{
	const struct cold	*c = &t->take->cold;

	snprintf(t->reply->words, sizeof t->reply->words,
	    "the operands were not cold: lines flushed with them were still in a cache "
	    "before %u of %u samples", c->warm, c->read);
	return t->reply->status = ST_INTERNAL;
}

static enum status
refuse_standing(struct taking *t)
{
	snprintf(t->reply->words, sizeof t->reply->words,
	    "the operands were not cold: the calls met %llu working sets, not %llu",
	    (unsigned long long)t->take->cold.sets_touched, (unsigned long long)t->plan->sets);
	return t->reply->status = ST_INTERNAL;
}

/* The sentinel's lines, which were flushed with the operands, and the walk's sets. */
static enum status
prove_flush(struct taking *t)
{
	const struct cold	*c = &t->take->cold;
	/* of the process that the witness was in last: others may have taken more */
	const uint64_t		 calls = t->last_samples * t->plan->run.calls;

	if (t->plan->is_whole && cold_was_warm(c))
		return refuse_warm(t);
	if (t->plan->is_whole && cold_sets_stood(c, t->plan->sets, calls))
		return refuse_standing(t);
	return ST_OK;
}

static enum status
refuse_place(struct taking *t, unsigned k)
{
	const struct places	p = places_of(&t->take->proof, k);

	snprintf(t->reply->words, sizeof t->reply->words,
	    "%s was not in the state %s before a sample: of %u readings %.0f %% found L1, %.0f %% "
	    "L2, %.0f %% L3, %.0f %% memory", plan_operand_name(t->plan, k),
	    plan_state_name(t->plan, k), p.read, 100 * p.share[RUNNER_L1],
	    100 * p.share[RUNNER_L2], 100 * p.share[RUNNER_L3], 100 * p.share[RUNNER_MEMORY]);
	return t->reply->status = ST_INTERNAL;
}

/*
 * Sets of a walk are cold because the routine reads the others: one that reads little leaves them
 * in a cache.  Threads may read operands at any time.
 */
static bool
may_be_the_routine(const struct plan *p)
{
	return plan_walks(p) || p->cpus > 1;
}

/* Lines that are farther than asked, and hardly any nearer: a neighbour shares the caches. */
static bool
may_be_the_host(const struct taking *t, unsigned k)
{
	const struct places	p = places_of(&t->take->proof, k);

	return places_nearer(&p, plan_levels(t->plan, k)) < PLACES_BROUGHT;
}

enum status
take_prove(struct taking *t)
{
	enum status	st = prove_flush(t);

	for (unsigned k = 0; st == ST_OK && k < plan_operands(t->plan); k++) {
		if (!places_are_wrong(&t->take->proof, k, plan_levels(t->plan, k)))
			continue;
		if (may_be_the_routine(t->plan) || may_be_the_host(t, k))
			t->take->strayed = plan_operand_name(t->plan, k);
		else
			st = refuse_place(t, k);
	}
	return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both children share the working sets and walk them at the same pace.  If they walked them
 * together the second would find in the cache the set of the first.  So one goes half way round
 * first.  A set is then met again, by either, after as much other memory as if there were one child
 * only.
 */
#include <string.h>

#include "worker/chain/join.h"
#include "worker/chain/pairs.h"
#include "worker/runner/sample/fill.h"

static enum status
run_one(struct pairs *p, enum pairs_side side, const struct runner_run *run)
{
	p->ran = side;
	return link_run(&p->side[side], run, &p->one);
}

/*
 * New processes begin at the first set.  Each goes to where its predecessor stood, and twice as
 * far: proofs pass over sets, too.
 */
static uint64_t
passes(struct pairs *p, enum pairs_side side)
{
	if (p->half_way == 0 || p->has_begun[side])
		return 0;
	p->has_begun[side] = true;
	return 2 * p->walked[side] + (side == PAIRS_AGAINST ? p->half_way : 0);
}

static void
add_to_sample(struct runner_sample *pair, const struct runner_sample *one)
{
	join_samples(pair, one);
	if (pair->sentinel == 0 || one->sentinel < pair->sentinel)	/* the less cold of both */
		pair->sentinel = one->sentinel;
}

static enum status
run_side(struct pairs *p, enum pairs_side side, const struct runner_run *order, uint32_t at,
    struct bench_reply *a)
{
	const struct bench_reply	*one = &p->one;
	struct runner_run		 run = *order;
	enum status			 st;

	run.passes = passes(p, side);
	if ((st = run_one(p, side, &run)) != ST_OK)
		return st;
	add_to_sample(&a->sample[at], &one->sample[0]);
	if (side == PAIRS_VARIANT)
		a->sample[at].ticks = one->sample[0].ticks;
	else
		a->against_ticks[at] = one->sample[0].ticks;
	a->took_ns += one->took_ns;
	join_proofs(&a->proof, &one->proof);
	a->sentinel = one->sentinel;
	p->walked[side] += order->calls;
	if (one->sets_seen > p->seen[side])
		p->seen[side] = one->sets_seen;
	a->sets_seen = p->seen[side];
	a->realtime &= one->realtime;
	a->pinned &= one->pinned;
	return ST_OK;
}

/*
 * Two pairs are ABBA or BAAB, so that drifts cancel out, and a coin decides which.  The first after
 * a nap is slower.  Naps come after loud pairs, and the gate drops those.  So without the coin the
 * first could be the same of the two for a whole job.  With it, each kept pair is as likely to err
 * to either side, for any reason to drop the others.
 */
static enum pairs_side
first_of(struct pairs *p)
{
	unsigned	coin = (unsigned)(rt_number(p->seed, p->turn / 2) >> 63);

	return (p->turn++ + coin) % 2 == 0 ? PAIRS_VARIANT : PAIRS_AGAINST;
}

static enum status
run_pair(struct pairs *p, const struct runner_run *order, uint32_t at, struct bench_reply *a)
{
	enum pairs_side	first = first_of(p);
	enum status	st;

	a->sample[at] = (struct runner_sample){ 0 };
	if ((st = run_side(p, first, order, at, a)) != ST_OK)
		return st;
	return run_side(p, first == PAIRS_VARIANT ? PAIRS_AGAINST : PAIRS_VARIANT, order, at, a);
}

/* On lane 0 first, so each side is the older process in every second group. */
static enum status
load_anew(struct pairs *p)
{
	const struct pairs_loader	*l = &p->loader;
	enum status			 st = ST_OK;

	if (!p->is_stale || l->load == NULL)
		return ST_OK;
	p->is_stale = false;
	memset(p->has_begun, 0, sizeof p->has_begun);
	p->swapped = !p->swapped;
	l->drop(l->arg);
	for (unsigned lane = 0; st == ST_OK && lane < PAIRS_SIDES; lane++) {
		p->ran = lane ^ p->swapped;
		st = l->load(l->arg, p->ran, lane, &p->one);
	}
	return st;
}

static enum status
run_pairs(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct pairs		*p = arg;
	struct runner_run	 order = *run;
	enum status		 st = load_anew(p);

	order.samples = 1;
	a->took_ns = 0;
	memset(&a->proof, 0, sizeof a->proof);
	a->realtime = a->pinned = a->is_paired = true;
	for (a->samples = 0; st == ST_OK && a->samples < run->samples; a->samples++) {
		order.input = run->input + a->samples * runner_region_inputs(run);
		st = run_pair(p, &order, a->samples, a);
	}
	if (st != ST_OK)
		*a = p->one;
	return st;
}

struct link
pairs_link(struct pairs *p)
{
	return (struct link){ run_pairs, p };
}

void
pairs_begin(struct pairs *p, uint64_t seed)
{
	p->seed = seed;
	p->turn = 0;
	p->ran = PAIRS_VARIANT;
	p->is_stale = p->swapped = false;
}

void
pairs_reset(struct pairs *p, uint64_t sets)
{
	p->half_way = sets / 2;
	memset(p->has_begun, 0, sizeof p->has_begun);
	memset(p->walked, 0, sizeof p->walked);
	memset(p->seen, 0, sizeof p->seen);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Working sets are shared by both children, and each walks them at its own pace, which is the same.  If they walked
 * them together the second would find in the cache what the first has just brought there; so one goes half way round
 * first.  A set is then met again, by either, after as much other memory as if there were one child only.
 */
#include <stdlib.h>

#include "worker/runner/sample/fill.h"
#include "worker/take/join.h"
#include "worker/take/pairs.h"

static enum status
run_one(struct pairs *p, enum pairs_side side, const struct runner_run *run)
{
	p->ran = side;
	return p->run(p->base.arg, side, run, &p->one);
}

static enum status
go_apart(struct pairs *p, const struct runner_run *run)
{
	struct runner_run	half = *run;

	if (run->walk == RUNNER_STAY || p->half_way == 0 || p->apart)
		return ST_OK;
	p->apart = true;
	half.kind = RUNNER_EMPTY;
	half.samples = 1;
	half.calls = p->half_way;
	return run_one(p, PAIRS_AGAINST, &half);
}

static void
add_to_sample(struct runner_sample *pair, const struct runner_sample *one)
{
	join_samples(pair, one);
	if (pair->sentinel == 0 || one->sentinel < pair->sentinel)	/* the less cold of both */
		pair->sentinel = one->sentinel;
}

static enum status
run_side(struct pairs *p, enum pairs_side side, const struct runner_run *order, uint32_t at, struct bench_reply *a)
{
	const struct bench_reply	*one = &p->one;
	enum status			 st;

	if ((st = run_one(p, side, order)) != ST_OK)
		return st;
	add_to_sample(&a->sample[at], &one->sample[0]);
	if (side == PAIRS_VARIANT)
		a->sample[at].ticks = one->sample[0].ticks;
	else
		a->against_ticks[at] = one->sample[0].ticks;
	a->took_ns += one->took_ns;
	a->sentinel = one->sentinel;
	a->sets_seen = one->sets_seen;
	a->realtime &= one->realtime;
	a->pinned &= one->pinned;
	return ST_OK;
}

/*
 * Two pairs are ABBA or BAAB, so that what drifts cancels out, and a coin says which.  Without it, whoever comes first
 * after a nap, and is slower for that, could be the same of the two for a whole job: naps come after loud pairs, and
 * the gate drops those.  By the coin each kept pair is as likely to err to either side, whatever drops the others.
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

static enum status
run_pairs(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct pairs		*p = arg;
	struct runner_run	 order = *run;
	enum status		 st = go_apart(p, run);

	order.samples = 1;
	a->took_ns = 0;
	a->realtime = a->pinned = a->is_paired = true;
	for (a->samples = 0; st == ST_OK && a->samples < run->samples; a->samples++)
		st = run_pair(p, &order, a->samples, a);
	if (st != ST_OK)
		*a = p->one;
	return st;
}

static enum status
make_area(void *arg, const struct plan *plan, struct bench_reply *a)
{
	struct pairs	*p = arg;

	return p->base.area(p->base.arg, plan, a);
}

static uint64_t
now_ns(void *arg)
{
	struct pairs	*p = arg;

	return p->base.now_ns(p->base.arg);
}

static void
pause_for(void *arg, uint64_t ns)
{
	struct pairs	*p = arg;

	p->base.pause(p->base.arg, ns);
}

/* ---- how many ---- */

static double
own_ticks(const struct take *k, uint64_t ticks)
{
	return ticks > k->subtracted_ticks ? (double)(ticks - k->subtracted_ticks) : 1;
}

static void
put_ratios(const struct take *k, const struct take_sample *s, size_t n, double *ratio)
{
	for (size_t i = 0; i < n; i++)
		ratio[i] = own_ticks(k, s[i].raw.ticks) / own_ticks(k, s[i].against_ticks);
}

/* Of as many clean pairs as are wanted: of those that will be kept if sampling ends now.  Owned; NULL: no memory. */
static double *
ratios_so_far(const struct take *k)
{
	struct take_sample	*clean = calloc(k->samples, sizeof *clean);
	double			*ratio = calloc(k->wanted, sizeof *ratio);
	size_t			 n = 0;

	for (size_t i = 0; clean != NULL && i < k->samples; i++)
		if (take_counts(k, &k->sample[i]))
			clean[n++] = k->sample[i];
	if (clean == NULL || ratio == NULL) {
		free(clean);
		free(ratio);
		return NULL;
	}
	qsort(clean, n, sizeof *clean, take_by_worth);
	put_ratios(k, clean, k->wanted, ratio);
	free(clean);
	return ratio;
}

/* With the gate given up, what was loud counts, and there may be enough for a later look: earlier ones are passed. */
static void
pass_looks(struct take *k, unsigned max_pairs)
{
	unsigned	next;

	while (k->wanted < max_pairs && (next = paired_next_look(k->wanted, max_pairs)) <= k->clean)
		k->wanted = next;
}

static bool
is_due(void *arg, struct take *k)
{
	struct pairs	*p = arg;
	struct paired	 found = { .verdict = VERDICT_UNDECIDED };
	double		*ratio;

	if (k->clean < k->wanted)
		return false;
	pass_looks(k, p->rule->max_pairs);
	if ((ratio = ratios_so_far(k)) != NULL)
		paired_look(p->rule, ratio, k->wanted, false, &found);
	free(ratio);
	p->looks++;
	if (found.verdict != VERDICT_UNDECIDED || k->wanted >= p->rule->max_pairs) {
		k->ended_by = found.verdict != VERDICT_UNDECIDED ? "interval" : "max_pairs";
		return true;
	}
	k->wanted = paired_next_look(k->wanted, p->rule->max_pairs);
	return false;
}

struct take_runner
pairs_runner(struct pairs *p)
{
	p->seed = p->base.now_ns(p->base.arg);
	return (struct take_runner){ .run = run_pairs, .area = make_area, .now_ns = now_ns, .pause = pause_for,
	    .is_due = is_due, .arg = p, .gate = p->base.gate, .host = p->base.host };
}

void
pairs_reset(struct pairs *p, uint64_t sets)
{
	p->half_way = sets / 2;
	p->apart = false;
}

/*
 * When sampling ended before a look was due, this is one: of what there is.  A verdict of too few clean pairs stands on
 * all that were kept, each marked in the samples.
 */
enum status
pairs_end(struct pairs *p, const struct take *k, struct pairs_end *end)
{
	double	*ratio = calloc(k->samples + 1, sizeof *ratio);
	bool	 in_time = k->clean >= k->wanted;

	*end = (struct pairs_end){ .looks = p->looks + !in_time, .by = k->ended_by };
	if (ratio == NULL)
		return ST_INTERNAL;
	put_ratios(k, k->sample, k->samples, ratio);
	if (k->samples > 0)
		paired_look(p->rule, ratio, k->samples, true, &end->found);
	free(ratio);
	return ST_OK;
}

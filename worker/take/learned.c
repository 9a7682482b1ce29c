/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/plan/rotation.h"
#include "worker/take/learned.h"
#include "worker/take/take_parts.h"

#define MATTERS		1.03
#define HARMLESS	1.015
#define HARMLESS_WARM	1.0075		/* of a routine that is to be timed cold */
#define ROUNDS		4u		/* by turns: a drift is alike for both kinds */
#define WARM_NS		300000.0	/* of calls on the known input, before each order */
#define WARM_CALLS	64.0
#define TRIES		3u
#define BUDGET_NS	40000000.0	/* for all; longer calls have fewer samples, or none */
#define EARLY		2u		/* rounds, if they are harmless */

_Static_assert(LEARNED_SAMPLES % ROUNDS == 0, "orders are alike");

/* ---- the judgment ---- */

struct learned
learned_judge(double *novel, size_t n, double *known, size_t m)
{
	const size_t	of_novel = rank_median(n, RANK_MISS), of_known = rank_median(m, RANK_MISS);
	struct learned	l = { .is_known = false };

	if (of_novel == 0 || of_known == 0)
		return l;
	qsort(novel, n, sizeof *novel, rank_ascending);
	qsort(known, m, sizeof *known, rank_ascending);
	if (known[0] <= 0)
		return l;
	l.is_known = true;
	l.ratio = rank_middle(novel, n) / rank_middle(known, m);
	l.low = novel[of_novel - 1] / known[m - of_known];
	l.high = novel[n - of_novel] / known[of_known - 1];
	return l;
}

bool
learned_matters(const struct learned *l)
{
	return l->is_known && l->low > MATTERS;
}

/* ---- the samples ---- */

bool
learned_is_harmless(const struct learned *l)
{
	return l->is_known && l->ratio <= HARMLESS;
}

/* Regions of one kind, of the one routine that is timed or of both. */
struct regions {
	double	 ns[PAIRS_SIDES][LEARNED_SAMPLES];
	size_t	 n;
};

static bool
is_undisturbed(const struct runner_sample *s)
{
	return s->switches == 0 && s->migrations == 0;
}

static void
add_regions(struct regions *to, const struct taking *t, double empty_ns)
{
	const struct bench_reply	*a = t->reply;
	const struct tick		*tick = t->with->tick;

	for (uint32_t i = 0; i < a->samples && to->n < LEARNED_SAMPLES; i++) {
		if (!is_undisturbed(&a->sample[i]))
			continue;
		to->ns[PAIRS_VARIANT][to->n] = tick_ns(tick, a->sample[i].ticks) - empty_ns;
		to->ns[PAIRS_AGAINST][to->n++] = !a->is_paired ? 0 :
		    tick_ns(tick, a->against_ticks[i]) - empty_ns;
	}
}

static enum status
take_kind(struct taking *t, enum runner_data data, uint32_t samples, double empty_ns,
    struct regions *to)
{
	enum status	st;

	t->plan->run.data = data;
	st = take_order(t, &t->with->orders, RUNNER_SAMPLE, t->plan->run.calls, samples);
	if (st == ST_OK)
		add_regions(to, t, empty_ns);
	return st;
}

static void
judge(struct regions *known, struct regions *novel, bool is_paired, struct learned *l,
    struct learned *against)
{
	*l = learned_judge(novel->ns[PAIRS_VARIANT], novel->n, known->ns[PAIRS_VARIANT], known->n);
	if (is_paired)
		*against = learned_judge(novel->ns[PAIRS_AGAINST], novel->n,
		    known->ns[PAIRS_AGAINST], known->n);
}

static enum status
take_rounds(struct taking *t, uint32_t samples, double empty_ns, struct learned *l,
    struct learned *against)
{
	const bool	is_paired = t->reply->is_paired;
	struct regions	known = { .n = 0 }, novel = { .n = 0 };
	enum status	st = ST_OK;

	for (unsigned i = 1; i <= ROUNDS && st == ST_OK; i++) {
		st = take_kind(t, RUNNER_SAME, samples, empty_ns, &known);
		if (st == ST_OK)
			st = take_kind(t, RUNNER_NOVEL, samples, empty_ns, &novel);
		if (st != ST_OK || i < EARLY)
			continue;
		judge(&known, &novel, is_paired, l, against);
		if (learned_is_harmless(l) && (!is_paired || learned_is_harmless(against)))
			break;
	}
	return st;
}

/* Samples of an order; 0: they would take too long. */
static uint32_t
samples_of_order(const struct taking *t)
{
	const double	fit = BUDGET_NS / (2.0 * ROUNDS) / (double)(t->cost_ns + 1);
	const double	most = LEARNED_SAMPLES / ROUNDS;

	if (fit < 2 || take_batch_size(t, 2 * LEARNED_SAMPLES) == 0)
		return 0;
	return fit < most ? (uint32_t)fit : (uint32_t)most;
}

static enum status
compare(struct taking *t, double call_ns, struct learned *l, struct learned *against)
{
	const double	calls = WARM_NS / (call_ns + 1);
	struct regions	first = { .n = 0 };
	double		empty_ns;
	uint32_t	samples = 0;
	enum status	st;

	t->plan->run.warm_calls = (uint32_t)(calls < 1 ? 1 : calls > WARM_CALLS ? WARM_CALLS :
	    calls);
	st = take_probe(t, RUNNER_EMPTY, t->plan->run.calls, TAKE_OVERHEADS, &empty_ns);
	/* that holds here, too; or something got onto the CPU */
	for (unsigned i = 0; st == ST_OK && samples == 0 && i < TRIES; i++)
		if ((st = take_kind(t, RUNNER_SAME, 1, empty_ns, &first)) == ST_OK)
			samples = samples_of_order(t);
	if (st != ST_OK || samples == 0)
		return st;
	if ((st = take_rounds(t, samples, empty_ns, l, against)) != ST_OK)
		return st;
	return take_kind(t, RUNNER_SAME, 1, empty_ns, &first);	/* the given one is there again */
}

static enum status
learn(struct learned *l, struct learned *against, const struct plan *plan,
    const struct take_setting *with, struct bench_reply *reply)
{
	struct plan	p = *plan;
	struct taking	t = { .plan = &p, .with = with, .reply = reply };
	double		call_ns;
	enum status	st;

	*l = *against = (struct learned){ .is_known = false };
	/* novelty costs the same wherever page tables are, and driving them out takes long */
	if (p.run.pollute == RUNNER_POLLUTE_ALL)
		p.run.pollute = RUNNER_POLLUTE_INNER;
	/* the first one may have made memory ready */
	for (unsigned i = 0; i < 2 && (i == 0 || t.cost_ns > TAKE_BATCH_NS); i++)
		if ((st = take_probe_call(&t, &call_ns)) != ST_OK)
			return st;
	if (t.cost_ns > TAKE_BATCH_NS)
		return ST_OK;
	p = rotation_probe(plan, call_ns);
	p.run.awake = plan_wakes(&p, call_ns);
	return compare(&t, call_ns, l, against);
}

static bool
is_harmless_warm(const struct learned *l)
{
	return l->is_known && l->ratio <= HARMLESS_WARM;
}

/* Cold samples would only be noisier about whether inputs are to take turns. */
static bool
is_settled_warm(const struct plan *p, const struct learned *l)
{
	return is_harmless_warm(l) || (p->data == DATA_AUTO && learned_matters(l));
}

/*
 * Warm samples take microseconds, cold ones milliseconds.  Novelty costs a larger share of a warm
 * call, and beside memory's noise that share is lost.  Inputs that take turns do no harm.
 */
enum status
take_learned(struct learned *l, struct learned *against, const struct plan *plan,
    const struct take_setting *with, struct bench_reply *reply)
{
	struct plan	warm = *plan;
	enum status	st;

	if (!plan_flushes(plan) || plan_walks(plan))
		return learn(l, against, plan, with, reply);
	plan_warm_operands(&warm);
	st = learn(l, against, &warm, with, reply);
	if (st != ST_OK || (is_settled_warm(plan, l) &&
	    (!reply->is_paired || is_settled_warm(plan, against))))
		return st;
	return learn(l, against, plan, with, reply);
}

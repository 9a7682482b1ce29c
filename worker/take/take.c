/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "worker/plan/shares.h"
#include "worker/take/memory_canary.h"
#include "worker/take/take_parts.h"

void
take_see_cold(struct taking *t, unsigned n)
{
	struct take	*k = t->take;
	struct cold	*c = &k->cold;

	cold_judge_by(c, &t->reply->sentinel);
	cold_judge_by(&k->code, &t->reply->sentinel);
	c->sets_touched = plan_walks(t->plan) ? t->reply->sets_seen : 1;
	t->last_samples = 0;
	for (size_t i = 0; i < k->samples; i++)
		if (k->sample[i].process + 1 == n) {
			k->sample[i].cold_limit = c->off == NULL ? c->limit_ticks : 0;
			t->last_samples++;
		}
}

/* Those that were kept, each by the limit of its process. */
static void
count_cold(struct taking *t)
{
	struct take	*k = t->take;
	struct cold	*c = &k->cold;

	for (size_t i = 0; i < k->samples; i++) {
		const struct runner_sample	*s = &k->sample[i].raw;

		c->limit_ticks = k->sample[i].cold_limit;
		if (c->limit_ticks > 0)
			cold_see(c, s->sentinel);
		if (t->plan->is_whole)
			cold_prove(c, s->proved, s->found);
		cold_prove(&k->code, s->code_proved, s->code_found);
	}
}

/* Nothing of the variant runs between the flush of its code and the region: it is our fault. */
static enum status
prove_cold_code(struct taking *t)
{
	const struct cold	*c = &t->take->code;

	if (!cold_came_back(c))
		return ST_OK;
	snprintf(t->reply->words, sizeof t->reply->words,
	    "the code was not cold: %llu of %llu lines of it were in a cache",
	    (unsigned long long)c->found, (unsigned long long)c->proved);
	return t->reply->status = ST_INTERNAL;
}

/* About what one call takes, at least. */
static double
least_sample_ns(const struct taking *t)
{
	double	least = t->take->samples > 0 ? t->take->sample[0].ns : 0;

	for (size_t i = 1; i < t->take->samples; i++)
		least = t->take->sample[i].ns < least ? t->take->sample[i].ns : least;
	return least;
}

/* A cold time proves itself against the same routine with its operands in the cache. */
static enum status
measure_warm(struct taking *t)
{
	struct plan	*p = t->plan, cold = *p;
	double		 ns = 0;
	enum status	 st;

	t->cost_ns = t->least_cost_ns;		/* not that of a process's first order */
	if (!plan_flushes(p) || t->take->cut_short || t->take->raced ||
	    take_batch_size(t, TAKE_PROBES) < TAKE_PROBES)
		return ST_OK;
	plan_warm_operands(p);
	p->run.data = p->run.calls == 1 ? cold.run.data : RUNNER_GIVEN;
	st = take_warm_up(t, least_sample_ns(t));
	if (st == ST_OK)
		st = take_probe(t, RUNNER_SAMPLE, p->run.calls, TAKE_PROBES, &ns);
	*p = cold;
	ns -= tick_ns(t->with->tick, t->take->overhead_ticks);
	t->take->warm_ns = st == ST_OK && ns > 0 ? ns / (double)p->run.calls : 0;
	return st;
}

/* NULL: there is one, and it is asked for. */
static const char *
no_canary(const struct plan *plan, const struct gate *gate)
{
	if (plan->gating == GATING_OFF)
		return "off: not asked for";
	if (gate == NULL)
		return "off: there is none";
	return gate_is_coarse(gate) ? "off: the clock is too coarse for it" : NULL;
}

/* The samples to the processes. */
static void
share_out(struct taking *t)
{
	const struct take_renewal	*r = &t->with->renewal;
	struct plan			*p = t->plan;

	if (r->renew == NULL)
		return;
	shares_settle(p, r->cost_ns, t->least_cost_ns);
	if (p->processes < 2)
		return;
	t->each = p->samples / p->processes;
	t->extra = p->samples % p->processes;
}

static bool
begin(struct taking *t)
{
	const struct plan	*p = t->plan;
	size_t			 wanted = p->interval > 0 ? p->max_samples : p->samples;

	t->take->wanted = p->least_samples != 0 ? p->least_samples : p->samples;
	t->take->width = HUGE_VAL;
	t->take->processes = 1;
	t->room = wanted * (1 + TAKE_TIMES) + TAKE_EXTRA + TAKE_ROOM;
	t->take->sample = malloc(t->room * sizeof *t->take->sample);
	return t->take->sample != NULL;
}

/* Which canaries judge. */
static void
choose_judges(struct taking *t)
{
	struct take		*k = t->take;
	const struct gate	*gate = t->with->gate;

	k->canary_off = no_canary(t->plan, gate);
	k->memory_off = k->canary_off != NULL ? k->canary_off : memory_canary_off(t->plan, gate);
	t->judged = k->canary_off == NULL;
	t->judged_memory = k->memory_off == NULL;
}

enum status
take_samples(struct take *k, struct plan *plan, const struct take_setting *with,
    struct bench_reply *reply)
{
	struct taking	t = { .take = k, .plan = plan, .with = with, .reply = reply,
			    .burst = RUNNER_SAMPLES, .stop = { plan, with->gate, 0 } };
	enum status	st;

	memset(k, 0, sizeof *k);
	if ((st = take_prepare(&t)) != ST_OK)
		return st;
	share_out(&t);
	if (!begin(&t))
		return reply->status = ST_INTERNAL;
	choose_judges(&t);
	host_evidence_begin(with->host);
	st = take_collect(&t);
	host_evidence_end(with->host);
	if (st != ST_OK)
		return st;
	take_see_cold(&t, k->processes);
	take_keep(&t);
	count_cold(&t);
	if ((st = take_prove(&t)) != ST_OK)
		return st;
	if (plan_has_cold_code(plan) && (st = prove_cold_code(&t)) != ST_OK)
		return st;
	return measure_warm(&t);
}

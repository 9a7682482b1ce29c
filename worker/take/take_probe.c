/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/plan/rotation.h"
#include "worker/take/take_parts.h"

#define EDGE_CALL_NS	10000.0	/* beside a longer call the ends of a region are less than 1 % */
#define EDGE_NS		500.0		/* regions for the edges take about that, and twice that */
#define EDGE_PROBES	5u
#define EDGE_ROUNDS	2u		/* by turns, so that both meet the core in quiet */

static uint64_t
least_ticks(const struct bench_reply *a)
{
	uint64_t	least = UINT64_MAX;

	for (uint32_t i = 0; i < a->samples; i++) {
		if (a->sample[i].ticks < least)
			least = a->sample[i].ticks;
		if (a->is_paired && a->against_ticks[i] < least)
			least = a->against_ticks[i];
	}
	return least;
}

enum status
take_probe(struct taking *t, enum runner_kind kind, uint64_t calls, uint32_t samples, double *ns)
{
	enum status	st = take_order(t, &t->with->orders, kind, calls, samples);

	*ns = st == ST_OK ? tick_ns(t->with->tick, least_ticks(t->reply)) : 0;
	return st;
}

/* One call that takes milliseconds to prepare says enough of how many make a sample. */
static uint32_t
probes(const struct taking *t)
{
	return t->plan->run.pollute == RUNNER_POLLUTE_ALL ? 1 : TAKE_PROBES;
}

enum status
take_probe_call(struct taking *t, double *ns)
{
	double		empty;
	enum status	st;

	if ((st = take_probe(t, RUNNER_SAMPLE, 1, 1, ns)) != ST_OK || t->cost_ns > TAKE_BATCH_NS)
		return st;
	if ((st = take_probe(t, RUNNER_EMPTY, 1, TAKE_OVERHEADS, &empty)) != ST_OK)
		return st;
	if ((st = take_probe(t, RUNNER_SAMPLE, 1, probes(t), ns)) != ST_OK)
		return st;
	*ns = *ns > empty ? *ns - empty : 0;
	return ST_OK;
}

static enum status
find_calls(struct taking *t, double call_ns)
{
	struct plan	*p = t->plan;
	uint64_t	 calls = 1, more;
	double		 region_ns = call_ns;
	enum status	 st;

	rotation_know_call(p, call_ns);
	if (p->calls_given || p->most_calls == 1)
		return ST_OK;
	if (plan_one_call_will_do(p, call_ns))
		return ST_OK;
	while ((more = plan_more_calls(p, t->with->tick, calls, region_ns)) != calls) {
		calls = more;
		if ((st = take_probe(t, RUNNER_SAMPLE, calls, TAKE_PROBES, &region_ns)) != ST_OK)
			return st;
	}
	p->run.calls = calls;
	return ST_OK;
}

/*
 * Calls on one working set overlap: the core does an empty call's work during the routine's own.
 * So only the cost of the region itself is certainly not the routine's.  Fences between calls leave
 * no such shade.
 */
static enum status
find_overhead(struct taking *t, uint64_t *single)
{
	struct take	*k = t->take;
	uint64_t	 calls = t->plan->run.calls;
	enum status	 st;

	if ((st = take_order(t, &t->with->orders, RUNNER_EMPTY, calls, TAKE_OVERHEADS)) != ST_OK)
		return st;
	k->empty_ticks = *single = least_ticks(t->reply);
	if (calls != 1) {
		if ((st = take_order(t, &t->with->orders, RUNNER_EMPTY, 1, TAKE_OVERHEADS)) !=
		    ST_OK)
			return st;
		*single = least_ticks(t->reply);
	}
	k->overhead_ticks = plan_has_fences(t->plan) ? k->empty_ticks : *single;
	k->subtracted_ticks = plan_subtracts(t->plan) ? k->overhead_ticks : 0;
	return ST_OK;
}

/* To the least region of a few, if that is less. */
static enum status
lower(struct taking *t, uint64_t calls, uint64_t *ticks)
{
	enum status	st = take_order(t, &t->with->orders, RUNNER_SAMPLE, calls, EDGE_PROBES);
	uint64_t	least = least_ticks(t->reply);

	if (st == ST_OK && least < *ticks)
		*ticks = least;
	return st;
}

/*
 * Time that starting and draining the pipeline adds to a region, or hides.  Regions of some calls
 * and of twice as many differ by those calls alone.  Operands are warm.
 */
static enum status
find_edge(struct taking *t, double call_ns, uint64_t single)
{
	struct plan	*p = t->plan, given = *p;
	uint64_t	 cost_ns = t->cost_ns, least_cost_ns = t->least_cost_ns;
	uint64_t	 calls = (uint64_t)(EDGE_NS / (call_ns + 1)) + 1;
	uint64_t	 once = UINT64_MAX, twice = UINT64_MAX;
	int64_t		 edge;
	enum status	 st = ST_OK;

	if (call_ns > EDGE_CALL_NS || !plan_may_repeat(p))
		return ST_OK;
	plan_warm_operands(p);
	for (unsigned i = 0; st == ST_OK && i < EDGE_ROUNDS; i++) {
		st = lower(t, calls, &once);
		if (st == ST_OK)
			st = lower(t, 2 * calls, &twice);
	}
	*p = given;
	t->cost_ns = cost_ns;
	t->least_cost_ns = least_cost_ns;	/* warm regions cost less than samples */
	if (st != ST_OK)
		return st;
	edge = (int64_t)(2 * once - twice - single);
	t->take->edge_ticks = (uint64_t)(edge < 0 ? -edge : edge);
	t->take->has_edge = true;
	return ST_OK;
}

enum status
take_prepare(struct taking *t)
{
	uint64_t	single;
	double		call_ns;
	enum status	st;

	if ((st = take_probe_call(t, &call_ns)) != ST_OK)
		return st;
	t->plan->run.awake = plan_wakes(t->plan, call_ns);
	if (!plan_flushes(t->plan) && (st = take_warm_up(t, call_ns)) != ST_OK)
		return st;
	if ((st = find_calls(t, call_ns)) != ST_OK)
		return st;
	if ((st = find_overhead(t, &single)) != ST_OK)
		return st;
	return find_edge(t, call_ns, single);
}

enum status
take_call(const struct plan *plan, const struct take_setting *with, struct bench_reply *reply,
    double *call_ns)
{
	struct plan	p = *plan;
	struct taking	t = { .plan = &p, .with = with, .reply = reply };

	return take_probe_call(&t, call_ns);
}

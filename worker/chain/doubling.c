/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/chain/doubling.h"
#include "worker/chain/join.h"

/* The longer region, and the shorter one before it. */
static struct runner_sample
sample_of(const struct runner_sample *twice, const struct runner_sample *once)
{
	struct runner_sample	s = *twice;

	s.ticks = twice->ticks > once->ticks ? twice->ticks - once->ticks : 0;
	join_samples(&s, once);
	return s;
}

static enum status
region(struct doubling *d, const struct runner_run *run, uint64_t calls, uint64_t input,
    struct bench_reply *a, struct runner_sample *out)
{
	struct runner_run	order = *run;
	enum status		st;

	order.samples = 1;
	order.calls = calls;
	order.input = input;
	if ((st = link_run(&d->next, &order, &d->one)) != ST_OK) {
		*a = d->one;
		return st;
	}
	*out = d->one.sample[0];
	a->realtime = d->one.realtime;
	a->pinned = d->one.pinned;
	join_proofs(&a->proof, &d->one.proof);
	a->sentinel = d->one.sentinel;
	a->sets_seen = d->one.sets_seen;
	a->took_ns += d->one.took_ns;
	return ST_OK;
}

static enum status
run_doubled(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct doubling		*d = arg;
	const uint64_t		 inputs = runner_region_inputs(run);
	struct runner_sample	 once, twice;
	enum status		 st;

	a->took_ns = 0;
	memset(&a->proof, 0, sizeof a->proof);
	a->samples = 0;
	for (uint32_t i = 0; i < run->samples; i++) {
		const uint64_t	first = run->input + 3 * inputs * i;

		if ((st = region(d, run, run->calls, first, a, &once)) != ST_OK ||
		    (st = region(d, run, 2 * run->calls, first + inputs, a, &twice)) != ST_OK)
			return st;
		a->sample[a->samples++] = sample_of(&twice, &once);
	}
	return a->status = ST_OK;
}

struct link
doubling_link(struct doubling *d)
{
	return (struct link){ run_doubled, d };
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/take/take_parts.h"
#include "worker/take/warm_up.h"

/* Calls in a row, one a region, that begin as an order's do. */
static enum status
look(struct taking *t, unsigned calls, uint64_t ticks[WARM_UP_MOST])
{
	const uint32_t	warm_calls = t->plan->run.warm_calls;
	enum status	st;

	t->plan->run.warm_calls = 0;
	st = take_order(t, &t->with->orders, RUNNER_SAMPLE, 1, calls);
	t->plan->run.warm_calls = warm_calls;
	for (unsigned i = 0; st == ST_OK && i < calls; i++)
		ticks[i] = t->reply->sample[i].ticks;
	return st;
}

enum status
take_warm_up(struct taking *t, double call_ns)
{
	const struct tick	*tick = t->with->tick;
	const uint64_t		 step = (uint64_t)(tick->resolution_ns * tick->hz / 1e9 + 1);
	unsigned		 n = warm_up_first(call_ns), needed;
	uint64_t		 ticks[WARM_UP_MOST], cost_ns = t->cost_ns;
	enum status		 st = ST_OK;

	if (n == 0 || !plan_may_warm_up(t->plan))
		return ST_OK;
	for (;; n *= 2) {
		if ((st = look(t, n, ticks)) != ST_OK)
			return st;
		if (!warm_up_still_falls(ticks, n, step) || 2 * n > WARM_UP_MOST ||
		    2 * n * call_ns > WARM_UP_NS)
			break;
	}
	t->cost_ns = cost_ns;
	needed = warm_up_calls(ticks, n, step);
	t->take->warm_calls = needed > 0 ? needed : 1;
	t->plan->run.warm_calls = t->take->warm_calls;
	return ST_OK;
}

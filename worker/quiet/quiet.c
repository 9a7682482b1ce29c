/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "worker/quiet/quiet.h"

#define SAME_RATE	1e-3		/* it is measured within some 1e-5; another model's differs by 1e-2 or more */

static json_t *
base_json(const struct rolling_kept *b, const struct tick *t, uint64_t ticks)
{
	return json_pack("{s:I, s:i, s:f}", "base", (json_int_t)b->base, "left", (int)b->left, "ns", tick_ns(t, ticks));
}

json_t *
quiet_report(const struct gate *g, const struct tick *t, uint64_t now_ns)
{
	const struct gate_quiet	q = gate_known(g);
	const uint64_t		canary = q.pace.base != 0 ? (uint64_t)q.canary.base * q.pace.base / GATE_UNIT :
	    q.canary.base;
	json_t			*memory = base_json(&q.memory, t, q.memory.base);

	(void)json_object_set_new(memory, "jobs", json_integer(q.memory_jobs));
	(void)json_object_set_new(memory, "worth", json_real(q.memory_worth));
	return json_pack("{s:s, s:f, s:o, s:o, s:o, s:o}", "clock", clock_name(t->clock), "tick_hz", t->hz,
	    "met_s", g->met_ns != 0 ? json_real((double)(now_ns - g->met_ns) / 1e9) : json_null(),
	    "canary", base_json(&q.canary, t, canary), "pace", base_json(&q.pace, t, q.pace.base), "memory", memory);
}

static bool
get_base(struct rolling_kept *b, const json_t *told, const char *name)
{
	const json_t		*o = json_object_get(told, name);
	const json_int_t	 base = json_integer_value(json_object_get(o, "base"));
	const json_int_t	 left = json_integer_value(json_object_get(o, "left"));

	*b = (struct rolling_kept){ (uint32_t)base, (unsigned)left };
	return base >= 0 && base <= UINT32_MAX && left >= 0 && left <= 2 * ROLLING_MOST;
}

static bool
is_of_clock(const json_t *told, const struct tick *t)
{
	const char	*clock = json_string_value(json_object_get(told, "clock"));
	double		 hz = json_number_value(json_object_get(told, "tick_hz"));

	return clock != NULL && strcmp(clock, clock_name(t->clock)) == 0 && fabs(hz / t->hz - 1) <= SAME_RATE;
}

bool
quiet_begin(struct gate *g, const struct tick *t, const json_t *told)
{
	const json_t		*memory = json_object_get(told, "memory");
	const json_int_t	 jobs = json_integer_value(json_object_get(memory, "jobs"));
	struct gate_quiet	 q = { .memory_worth = json_number_value(json_object_get(memory, "worth")) };

	if (g->readings != 0 || !is_of_clock(told, t) || !get_base(&q.canary, told, "canary") ||
	    !get_base(&q.pace, told, "pace") || !get_base(&q.memory, told, "memory") || jobs < 0)
		return false;
	q.memory_jobs = jobs < GATE_MEMORY_JOBS ? (unsigned)jobs : GATE_MEMORY_JOBS;
	gate_begin(g, &q);
	return true;
}

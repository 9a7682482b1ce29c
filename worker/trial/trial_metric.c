/* SPDX-License-Identifier: Apache-2.0 */
/* The metric of a user's evaluation library, after everything that is timed or audited. */
#include "proto/base/clock.h"
#include "worker/trial/trial.h"

/* In a process of its own, the only one that has the library. */
static enum status
load_beside_library(struct trial *t)
{
	const uint64_t	 load_ns = t->load_ns;
	enum status	 st = bench_evaluate(t->s->bench, t->objects.metric, &t->why);

	if (st == ST_OK) {
		st = trial_load(t, TRIAL_LANE, t->objects.variant);
		if (st != ST_OK)
			metric_is_absent(&t->metric, t->s->reply.words);
	} else {
		metric_is_absent(&t->metric, t->why.text);
	}
	t->load_ns = load_ns;
	return st;
}

static enum status
measure(struct trial *t)
{
	const struct metric	*asked = &t->job->spec.timing.metric;
	struct take_setting	 with = trial_setting_of_lane(t);
	struct bench_metric	 said;
	enum status		 st = load_beside_library(t);

	if (st != ST_OK)
		return st == ST_CANCELLED ? st : ST_OK;
	bench_metric(t->s->bench, TRIAL_LANE, &said);
	metric_name(&t->metric, asked, &said);
	return metric_run(&t->metric, &t->plan, &with, &t->s->reply);
}

enum status
trial_take_metric(struct trial *t)
{
	struct fault	why;
	enum status	st;

	if (!t->job->spec.timing.metric.present)
		return ST_OK;
	metric_begin(&t->metric, &t->job->spec.timing.metric);
	t->has_metric = true;
	if ((st = trial_make_areas(t, &t->plan)) != ST_OK)
		return st;
	t->deadline_ns = clock_now_ns() + (uint64_t)t->job->run_timeout_ms * 1000000u;
	st = measure(t);
	if (st == ST_CANCELLED)
		(void)fault_set(&t->why, st, "%s", t->s->reply.words);
	trial_drop(t);
	(void)bench_evaluate(t->s->bench, NULL, &why);
	return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/take/metric.h"

/* ---- its name ---- */

static void
set(char to[RUNNER_METRIC_BYTES], const char *words)
{
	if (words != NULL && words[0] != '\0')
		snprintf(to, RUNNER_METRIC_BYTES, "%s", words);
}

void
metric_begin(struct metric_taken *m, const struct metric *asked)
{
	m->n = 0;
	m->unit[0] = m->absent[0] = '\0';
	set(m->name, "metric");
	set(m->name, asked->name);
	set(m->unit, asked->unit);
}

void
metric_name(struct metric_taken *m, const struct metric *asked, const struct bench_metric *said)
{
	if (asked->name == NULL)
		set(m->name, said->name);
	if (asked->unit == NULL)
		set(m->unit, said->unit);
}

void
metric_is_absent(struct metric_taken *m, const char *why)
{
	if (m->absent[0] == '\0')
		snprintf(m->absent, sizeof m->absent, "%s", why);
}

/* ---- its samples ---- */

static void
take_samples_of(struct metric_taken *m, const struct bench_reply *reply)
{
	for (unsigned i = 0; i < reply->samples; i++) {
		const double	x = reply->sample[i].metric;

		if (!isfinite(x) && m->absent[0] == '\0')
			snprintf(m->absent, sizeof m->absent, "evaluationStop less evaluationStart "
			    "is %s in sample %u of %u", isnan(x) ? "not a number" : "infinite",
			    i + 1, reply->samples);
		m->sample[m->n++] = x;
	}
}

enum status
metric_run(struct metric_taken *m, const struct plan *plan, const struct take_setting *with,
    struct bench_reply *reply)
{
	struct runner_run	order = plan->run;
	enum status		st;

	order.kind = RUNNER_SAMPLE;
	order.samples = plan->samples < RUNNER_SAMPLES ? plan->samples : RUNNER_SAMPLES;
	order.realtime = 0;
	m->calls = order.calls;
	if ((st = link_run(&with->orders, &order, reply)) == ST_OK) {
		take_samples_of(m, reply);
		order.kind = RUNNER_CLOSE;
		st = link_run(&with->orders, &order, reply);
	}
	if (st != ST_OK)
		metric_is_absent(m, reply->words);
	return st == ST_CANCELLED ? st : ST_OK;
}

/* ---- its report ---- */

static int
by_value(const void *a, const void *b)
{
	const double	*x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of what the samples are divided by. */
static struct metric_span
span_of(const struct metric_taken *m, double by)
{
	double	sorted[RUNNER_SAMPLES];

	memcpy(sorted, m->sample, m->n * sizeof *sorted);
	qsort(sorted, m->n, sizeof *sorted, by_value);
	return (struct metric_span){ sorted[0] / by,
	    (sorted[(m->n - 1) / 2] / 2 + sorted[m->n / 2] / 2) / by, sorted[m->n - 1] / by };
}

static bool
put_values(const struct metric_taken *m, double iterations, struct metric_report *r)
{
	r->calls = m->calls;
	r->has_per_call = true;
	r->per_call = span_of(m, (double)m->calls);
	if ((r->has_per_iteration = iterations > 0))
		r->per_iteration = span_of(m, (double)m->calls * iterations);
	if (!shape_reals_make(&r->samples, m->n))
		return false;
	memcpy(r->samples.x, m->sample, m->n * sizeof *m->sample);
	return true;
}

bool
metric_report(const struct metric_taken *m, double iterations, struct shape_list *out)
{
	struct metric_report	*r;

	if (!shape_list_make(out, 1, sizeof *r))
		return false;
	r = out->at;
	*r = (struct metric_report){ .name = m->name, .unit = m->unit[0] != '\0' ? m->unit : NULL,
	    .source = "library", .trust = "claimed", .calls = SHAPE_NO_SIZE };
	if (m->absent[0] == '\0')
		return put_values(m, iterations, r);
	r->absent = m->absent;
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/judge/comparison.h"
#include "daemon/judge/cores.h"
#include "daemon/judge/judge.h"
#include "daemon/judge/placement.h"
#include "daemon/judge/processes.h"
#include "daemon/judge/repeat.h"
#include "daemon/judge/summary.h"

/* The canary was on, and no sample was kept beside a neighbour. */
static bool
is_gated(const struct report *r)
{
	return r->has_tally && r->tally.gated && r->samples.loud.n == 0;
}

/* ---- the time ---- */

/*
 * Times as on a core at its best clock: each is divided by the clock's slowness around it. false:
 * that is unknown.
 */
static bool
normalise(const struct report *r, double *x)
{
	const struct samples	*s = &r->samples;

	if (!is_gated(r) || s->slowness.n != s->ns.n)
		return false;
	for (size_t i = 0; i < s->ns.n; i++) {
		if (s->slowness.x[i] <= 0)
			return false;
		x[i] = s->ns.x[i] / s->slowness.x[i];
	}
	return true;
}

/* More than one; a comparison's belong to both sides, and its verdict has them. */
static bool
has_processes(const struct samples *s)
{
	return s->ns.n > 0 && s->process.n == s->ns.n &&
	    s->process.x[s->ns.n - 1] != s->process.x[0];
}

static double
value_of(enum estimator e, const struct stats *raw, const struct stats *normalised)
{
	if (e == EST_NORMALISED)
		return normalised->median;
	return e == EST_MEDIAN ? raw->median : raw->min;
}

/* A variant that was given up has a lower bound in place of a time. */
static void
judge_race(double bound_ns, struct result_time *out)
{
	out->raced = isfinite(bound_ns);
	out->bound_ns = bound_ns;
	if (out->raced)
		out->value_ns = NAN;
}

/* tcc does not optimize: what it builds has an answer, and no time that means anything. */
static void
judge_quick(struct result *r)
{
	const char	*name = r->compiler.name;

	r->time.quick = name != NULL && strcmp(name, "tcc") == 0;
	if (r->time.quick)
		r->time.value_ns = NAN;
}

/* x has room for all samples; there is at least one. */
static enum status
judge_time(const struct report *r, const struct timing *timing, double *x, struct result_time *out,
    struct stats *s)
{
	const struct shape_reals	*ns = &r->samples.ns;
	struct stats			 normalised = { 0 };
	enum estimator			 e;
	enum status			 st = ST_OK;

	out->samples = r->samples;
	out->count = ns->n;
	out->drift = stats_drift(ns->x, ns->n);
	if ((out->has_normalised = normalise(r, x)) &&
	    (st = summary_stats(&r->samples, x, &normalised)) == ST_OK)
		summary_fill(&out->normalised, &normalised);
	memcpy(x, ns->x, ns->n * sizeof *x);
	if (st != ST_OK || (st = summary_stats(&r->samples, x, s)) != ST_OK)
		return st;
	if ((out->has_processes = has_processes(&r->samples)) &&
	    (st = processes_judge(ns->x, r->samples.process.x, ns->n, &out->processes)) != ST_OK)
		return st;
	if ((st = cores_judge(r, out)) != ST_OK)
		return st;
	out->outliers = stats_outliers(x, ns->n);
	summary_fill(&out->raw, s);
	out->max_ns = s->max;
	out->stddev_ns = s->stddev;
	e = timing_estimator(timing, out->has_normalised);
	out->estimator = estimator_name(e);
	out->value_ns = value_of(e, s, &normalised);
	judge_race(r->bound_ns, out);
	return ST_OK;
}

/* A job's counter of the core's cycles, under a name that perf and libpfm have for it; or NULL. */
static const struct counter_report *
cycles_counted(const struct shape_list *counters)
{
	static const char *const	names[] = { "cycles", "cpu-cycles", "perf::CYCLES",
					    "perf::CPU-CYCLES" };
	const struct counter_report	*c = counters->at;

	for (size_t i = 0; i < counters->n; i++)
		for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
			if (strcasecmp(c[i].name, names[k]) == 0 && isfinite(c[i].per_call))
				return &c[i];
	return NULL;
}

/*
 * The times of a call, by its iterations.  Cycles have a source: a counter of the job's, or the
 * core's clock as the pace beside its samples has it; there are none without.
 */
static void
judge_iteration(const struct report *from, struct result_time *t)
{
	const double			 n = from->iterations;
	struct result_iteration		*i = &t->per_iteration;
	const struct counter_report	*cycles = cycles_counted(&from->found.counters);

	t->has_per_iteration = n > 0;
	*i = (struct result_iteration){ n, t->value_ns / n, t->raw.min_ns / n,
	    t->raw.median_ns / n, .cycles = NAN, .core_ghz = NAN };
	if (cycles != NULL) {
		i->cycles = cycles->per_call / n;
		i->cycles_by = "counter";
	} else if (isfinite(from->core_ghz)) {
		i->cycles = i->median_ns * from->core_ghz;
		i->cycles_by = "pace";
		i->core_ghz = from->core_ghz;
	}
}

/*
 * The maximum from the minimum time, the average from the average time, for each given formula
 * (P34).
 */
static void
judge_rate(const struct brief_shared *spec, const struct stats *s, struct result_rate *out)
{
	if (spec->flops_count > 0 && s->min > 0) {
		out->mflops_max = spec->flops_count / s->min * 1e3;
		out->mflops_avg = spec->flops_count / s->mean * 1e3;
	}
	if (spec->bytes_count > 0 && s->min > 0) {
		out->gbs_max = spec->bytes_count / s->min;
		out->gbs_avg = spec->bytes_count / s->mean;
	}
}

static enum status
put_times(struct result *r, const struct case_file *c)
{
	const struct brief_shared	*spec = c->job->brief->shared;
	const size_t			 n = c->timed->samples.ns.n;
	struct stats			 s;
	double				*x;
	enum status			 st;

	r->found = c->timed->found;
	if (n != 0) {
		if ((x = calloc(n, sizeof *x)) == NULL)
			return ST_NOMEM;
		r->has_time = true;
		st = judge_time(c->timed, &spec->timing, x, &r->time, &s);
		judge_quick(r);
		r->has_rate = !isnan(r->time.value_ns);
		judge_rate(spec, &s, &r->rate);
		judge_iteration(c->timed, &r->time);
		free(x);
		if (st != ST_OK)
			return st;
	}
	if ((r->has_layout = c->timed->has_layout) &&
	    (st = placement_judge(&c->timed->layout, is_gated(c->timed),
	    &r->layout)) != ST_OK)
		return st;
	if ((r->has_comparison = c->timed->has_comparison))
		return comparison_judge(c, &r->comparison);
	return ST_OK;
}

/* ---- the job and its times ---- */

static void
put_who_and_what(struct result *r, const struct case_file *c)
{
	const struct queued_job		*j = c->job;
	const struct brief		*b = j->brief;

	r->job = j->id;
	r->cursor = c->cursor;
	r->name = b != NULL ? b->name : "";
	r->routine = b != NULL ? b->shared->routine : "";
	r->spec_hash = b != NULL && b->shared->hash[0] != '\0' ? b->shared->hash : NULL;
	r->yardstick = b != NULL && b->yardstick;
	r->has_sweep = b != NULL && b->sweep_name != NULL;
	if (r->has_sweep)
		r->sweep = (struct result_sweep){ j->sweep_id, b->sweep_name };
	r->status = status_word(c->outcome);
	r->invalidity = status_t4(c->outcome);
	r->detail = c->detail;
	r->params = b != NULL ? b->shared->params : NULL;
	r->flags = b != NULL ? b->flags : NULL;
	r->meta = b != NULL ? b->meta : NULL;
	r->fitness = c->fitness;
	r->host_class = c->host_class;
}

static void
put_build(struct result *r, const struct build_record *b)
{
	if (b == NULL)
		return;
	r->binary = b->artifacts.variant.hex[0] != '\0' ? b->artifacts.variant.hex : NULL;
	r->driver = b->artifacts.driver.hex[0] != '\0' ? b->artifacts.driver.hex : NULL;
	r->has_compiler = r->has_build_jail = b->has_report;
	if (b->has_report) {
		r->compiler = b->report.compiler;
		r->build_jail = b->report.build_jail;
		r->built = b->report.built;
		r->unit_variants = b->report.unit_variants;
		r->code_bytes = b->report.code_bytes;
	}
}

static void
put_stages(struct result *r, const struct case_file *c)
{
	const struct queued_job	*j = c->job;

	r->stages_ms.queued =
	    ((j->build_began > 0 ? j->build_began : c->ended) - j->since) * 1e3;
	if (j->build_ended > 0)
		r->stages_ms.build = (j->build_ended - j->build_began) * 1e3;
	if (j->time_began > 0) {
		r->stages_ms.waited = (j->time_began - j->build_ended) * 1e3;
		r->stages_ms.run = (c->ended - j->time_began) * 1e3;
	}
	r->submitter = j->submitter;
	r->submitted = j->submitted;
	r->finished = c->finished;
	r->attempts = j->attempts + 1u;
}

static void
put_spent(struct spent *s, const struct case_file *c)
{
	const struct queued_job	*j = c->job;
	const struct sample_tally	*t;

	*s = (struct spent){ .waiting_s = -1, .build_s = -1, .timing_s = -1 };
	if (j->build_ended > 0)
		s->build_s = j->build_ended - j->build_began;
	if (j->time_began > 0) {
		s->waiting_s = (j->build_began - j->since) + (j->time_began - j->build_ended);
		s->timing_s = c->ended - j->time_began;
	}
	if (c->timed != NULL && c->timed->has_tally) {
		t = &c->timed->tally;
		s->samples = t->taken;
		s->canary_rejected = t->canary_rejected;
		s->memory_rejected = t->memory_rejected;
	}
}

/* The static word for one in a document. */
static const char *
known_estimator(const char *word)
{
	for (int e = 0; e < EST_N; e++)
		if (word != NULL && strcmp(estimator_name(e), word) == 0)
			return estimator_name(e);
	return NULL;
}

/* Of the median's interval; the minimum has none of its own. */
static double
half_of(const struct result_time *t)
{
	const struct summary	*s = summary_ranked(t);

	return s->has_ci95_ns && s->median_ns > 0 ?
	    (s->ci95_ns[1] - s->ci95_ns[0]) / 2 / s->median_ns : NAN;
}

/* What is drawn beside the value. */
static void
put_span(const struct result_time *t, struct judgement *out)
{
	out->has_interval = t->raw.has_ci95_ns;
	memcpy(out->interval_ns, t->raw.ci95_ns, sizeof out->interval_ns);
	out->bound_ns = isfinite(t->bound_ns) ? t->bound_ns : 0;
}

static enum status
write_result(struct result *r, struct judgement *out)
{
	if (r->has_time)
		put_span(&r->time, out);
	r->status_text = result_words(r);
	if (r->has_time && !isnan(r->time.value_ns)) {
		out->value_ns = r->time.value_ns;
		out->estimator = known_estimator(r->time.estimator);
		out->half = half_of(&r->time);
	}
	return (out->text = result_put(r)) != NULL ? ST_OK : ST_NOMEM;
}

static enum status
judge_stored(const struct case_file *c, struct result *r, struct judgement *out)
{
	struct result	stored;
	enum status	st = repeat_judge(c, &stored, r);

	if (st != ST_OK)
		return st;
	st = write_result(r, out);
	result_release(&stored);
	return st;
}

enum status
judge_result(const struct case_file *c, struct judgement *out)
{
	enum status	st = ST_OK;
	struct result	r;

	*out = (struct judgement){ .text = NULL, .half = NAN };
	result_clear(&r);
	put_who_and_what(&r, c);
	put_build(&r, c->job->build);
	put_stages(&r, c);
	put_spent(&out->spent, c);
	if (c->stored != NULL)
		return judge_stored(c, &r, out);
	if (c->timed != NULL && c->job->brief != NULL)
		st = put_times(&r, c);
	if (st == ST_OK)
		st = write_result(&r, out);
	free(r.layout.several.each.at);
	processes_release(&r.time.processes);
	cores_release(&r.time);
	return st;
}

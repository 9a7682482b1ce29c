/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/comparison.h"
#include "daemon/judge/judge.h"
#include "daemon/judge/placement.h"
#include "daemon/judge/stats.h"

enum estimator
judge_estimator(const struct spec *spec, bool has_canary)
{
	enum estimator	e = spec->timing.estimator;

	if (e == EST_NORMALISED)
		return has_canary ? e : EST_MEDIAN;
	if (e != EST_AUTO)
		return e;
	if (spec->timing.clock == CLK_CPU || (spec->timing.difference && !has_canary))
		return EST_MEDIAN;
	if (spec->timing.layout == LAYOUT_RANDOM)
		return has_canary ? EST_NORMALISED : EST_MEDIAN;
	return has_canary ? EST_NORMALISED : EST_MIN;
}

double *
judge_numbers(const json_t *timed, const char *member, size_t *n)
{
	const json_t	*samples = json_object_get(timed, "samples"), *sample;
	double		*x;
	size_t		 i;

	*n = json_array_size(samples);
	if (*n == 0 || (x = calloc(*n, sizeof *x)) == NULL)
		return NULL;
	json_array_foreach(samples, i, sample)
		x[i] = json_number_value(json_object_get(sample, member));
	return x;
}

static json_t *
member_list(const json_t *timed, const char *member)
{
	const json_t	*samples = json_object_get(timed, "samples"), *sample;
	json_t		*list = json_array();
	size_t		 i;

	json_array_foreach(samples, i, sample) {
		json_t	*value = json_object_get(sample, member);

		if (value != NULL)
			(void)json_array_append(list, value);
	}
	return list;
}

/* The places of the samples of which `member` is true. */
static json_t *
flagged_list(const json_t *timed, const char *member)
{
	const json_t	*samples = json_object_get(timed, "samples"), *sample;
	json_t		*list = json_array();
	size_t		 i;

	json_array_foreach(samples, i, sample)
		if (json_is_true(json_object_get(sample, member)))
			(void)json_array_append_new(list, json_integer((json_int_t)i));
	return list;
}

static void
set_real(json_t *o, const char *name, double value)
{
	(void)json_object_set_new(o, name, json_real(value));	/* NaN and Inf give NULL: the member stays out */
}

/* Samples were taken in quiet, as far as the canary tells: it was on, and none is kept for want of a quiet one. */
static bool
is_gated(const json_t *timed)
{
	const char	*canary = json_string_value(json_object_get(json_object_get(timed, "technique"), "canary"));
	const json_t	*sample;
	size_t		 i;

	json_array_foreach(json_object_get(timed, "samples"), i, sample)
		if (json_is_true(json_object_get(sample, "loud")))
			return false;
	return canary != NULL && strcmp(canary, "on") == 0;
}

/* ns / slowness, in the order of taking; NULL: they were not gated, or of one it is not known. */
static double *
normalised_samples(const json_t *timed, size_t *n)
{
	size_t	 told;
	double	*x = judge_numbers(timed, "ns", n), *r = judge_numbers(timed, "slowness", &told);
	bool	 all = x != NULL && r != NULL && is_gated(timed);

	for (size_t i = 0; all && i < *n; i++) {
		all = r[i] > 0;
		x[i] /= all ? r[i] : 1;
	}
	free(r);
	if (all)
		return x;
	free(x);
	return NULL;
}

static void
set_ci95(json_t *o, const struct stats *s)
{
	(void)json_object_set_new(o, "ci95_ns", s->has_ci95 ? json_pack("[f,f]", s->ci95[0], s->ci95[1]) : json_null());
}

void
judge_put_summary(json_t *o, const struct stats *s)
{
	set_real(o, "min_ns", s->min);
	set_real(o, "median_ns", s->median);
	set_real(o, "mean_ns", s->mean);
	set_real(o, "p90_ns", s->p90);
	set_real(o, "cv", s->cv);
	set_ci95(o, s);
}

/* As on a core at its best clock: each time divided by how slow that was around it. */
static json_t *
normalised_object(const json_t *timed, struct stats *s)
{
	json_t	*o;
	size_t	 n;
	double	*x = normalised_samples(timed, &n);

	if (x == NULL)
		return NULL;
	stats_of(x, n, s);
	free(x);
	if ((o = json_object()) != NULL)
		judge_put_summary(o, s);
	return o;
}

static double
value_of(enum estimator e, const struct stats *raw, const struct stats *normalised)
{
	if (e == EST_NORMALISED)
		return normalised->median;
	return e == EST_MEDIAN ? raw->median : raw->min;
}

static json_t *
time_object(const json_t *timed, const struct spec *spec, struct stats *s)
{
	json_t		*o, *normalised;
	struct stats	 quiet = { 0 };
	enum estimator	 e;
	double		*x;
	size_t		 n;

	if ((x = judge_numbers(timed, "ns", &n)) == NULL)
		return NULL;
	o = json_object();
	set_real(o, "drift", stats_drift(x, n));
	stats_of(x, n, s);
	(void)json_object_set_new(o, "outliers", json_integer((json_int_t)stats_outliers(x, n)));
	free(x);
	normalised = normalised_object(timed, &quiet);
	e = judge_estimator(spec, normalised != NULL);
	(void)json_object_set_new(o, "estimator", json_string(estimator_name(e)));
	set_real(o, "value_ns", value_of(e, s, &quiet));
	judge_put_summary(o, s);
	set_real(o, "max_ns", s->max);
	set_real(o, "stddev_ns", s->stddev);
	(void)json_object_set_new(o, "normalised", normalised != NULL ? normalised : json_null());
	(void)json_object_set_new(o, "count", json_integer((json_int_t)n));
	(void)json_object_set_new(o, "samples_ns", member_list(timed, "ns"));
	(void)json_object_set_new(o, "canary", member_list(timed, "canary"));
	(void)json_object_set_new(o, "pace", member_list(timed, "pace"));
	(void)json_object_set_new(o, "slowness", member_list(timed, "slowness"));
	(void)json_object_set_new(o, "memory", member_list(timed, "memory"));
	(void)json_object_set_new(o, "loud", flagged_list(timed, "loud"));
	(void)json_object_set_new(o, "disturbed", flagged_list(timed, "disturbed"));
	(void)json_object_set_new(o, "ticks", member_list(timed, "ticks"));
	return o;
}

/* Maximum from the minimum time, average from the average time, and only what a formula was given for (P34). */
static json_t *
rate_object(const struct spec *spec, const struct stats *s)
{
	json_t	*o = json_object();

	if (spec->flops_count > 0 && s->min > 0) {
		set_real(o, "mflops_max", spec->flops_count / s->min * 1e3);
		set_real(o, "mflops_avg", spec->flops_count / s->mean * 1e3);
	}
	if (spec->bytes_count > 0 && s->min > 0) {
		set_real(o, "gbs_max", spec->bytes_count / s->min);
		set_real(o, "gbs_avg", spec->bytes_count / s->mean);
	}
	return o;
}

static void
put_who_and_what(json_t *r, const struct case_file *c, const struct job *job)
{
	const struct queued_job	*j = c->job;

	(void)json_object_set_new(r, "job", json_integer(j->id));
	(void)json_object_set_new(r, "sweep", c->sweep_name != NULL ?
	    json_pack("{s:I,s:s}", "id", (json_int_t)j->sweep_id, "name", c->sweep_name) : json_null());
	(void)json_object_set_new(r, "name", json_string(job != NULL ? job->variant.name : ""));
	(void)json_object_set_new(r, "routine", json_string(job != NULL ? job->spec.routine.name : ""));
	(void)json_object_set_new(r, "status", json_string(status_word(c->outcome)));
	(void)json_object_set_new(r, "status_text", json_string(status_text(c->outcome)));
	(void)json_object_set_new(r, "invalidity", json_string(status_t4(c->outcome)));
	(void)json_object_set_new(r, "detail", c->detail != NULL ? json_string(c->detail) : json_null());
}

/* Members taken as they are from another object, null when it has none. */
static void
copy_members(json_t *r, const json_t *from, const char *const *names)
{
	for (; *names != NULL; names++) {
		json_t	*value = json_object_get(from, *names);

		(void)json_object_set(r, *names, value != NULL ? value : json_null());
	}
}

static void
put_times(json_t *r, const struct case_file *c, const struct job *job)
{
	static const char *const	 passed_on[] = { "technique", "counters", "check", "evidence", "trust", NULL };
	json_t				*time = NULL, *rate = NULL;
	struct stats			 s;

	if (c->timed != NULL && job != NULL && (time = time_object(c->timed, &job->spec, &s)) != NULL)
		rate = rate_object(&job->spec, &s);
	(void)json_object_set_new(r, "time", time != NULL ? time : json_null());
	(void)json_object_set_new(r, "rate", rate != NULL ? rate : json_null());
	copy_members(r, c->timed, passed_on);
	(void)json_object_set_new(r, "layout", placement_result(json_object_get(c->timed, "layout"),
	    is_gated(c->timed)));
	(void)json_object_set_new(r, "comparison", comparison_json(c, job));
}

static void
put_build(json_t *r, const struct case_file *c)
{
	static const char *const	 from_build[] = { "compiler", "build_jail", NULL };
	const json_t			*variant = json_object_get(c->doc, "variant");
	const struct artifacts		*a = c->job->artifacts;
	json_t				*params = json_object_get(json_object_get(c->doc, "spec"), "params");
	json_t				*flags = json_object_get(variant, "flags");

	copy_members(r, c->job->build_report, from_build);
	(void)json_object_set(r, "params", params != NULL ? params : json_null());
	(void)json_object_set(r, "flags", flags != NULL ? flags : json_null());
	(void)json_object_set_new(r, "binary", a != NULL ? json_string(a->variant.hex) : json_null());
	(void)json_object_set_new(r, "driver", a != NULL ? json_string(a->driver.hex) : json_null());
}

static json_t *
stages(const struct case_file *c)
{
	const struct queued_job	*j = c->job;
	json_t			*o = json_object();
	double			 build_began = j->build_began > 0 ? j->build_began : c->finished;

	set_real(o, "queued", (build_began - j->submitted) * 1e3);
	if (j->build_ended > 0)
		set_real(o, "build", (j->build_ended - j->build_began) * 1e3);
	if (j->time_began > 0) {
		set_real(o, "waited", (j->time_began - j->build_ended) * 1e3);
		set_real(o, "run", (c->finished - j->time_began) * 1e3);
	}
	return o;
}

json_t *
judge_result(const struct case_file *c)
{
	json_t		*r = json_object(), *meta = json_object_get(c->doc, "meta");
	struct fault	 why;
	struct job	 job;
	bool		 readable = c->doc != NULL && job_decode(&job, c->doc, &why) == ST_OK;

	put_who_and_what(r, c, readable ? &job : NULL);
	put_times(r, c, readable ? &job : NULL);
	if (readable)
		job_release(&job);
	put_build(r, c);
	(void)json_object_set_new(r, "stages_ms", stages(c));
	(void)json_object_set_new(r, "submitter", json_integer(c->job->submitter));
	(void)json_object_set_new(r, "submitted", json_real(c->job->submitted));
	(void)json_object_set_new(r, "finished", json_real(c->finished));
	(void)json_object_set_new(r, "attempts", json_integer(c->job->attempts + 1));
	(void)json_object_set_new(r, "fitness", c->fitness != NULL ? json_string(c->fitness) : json_null());
	(void)json_object_set(r, "meta", meta != NULL ? meta : json_null());
	return r;
}

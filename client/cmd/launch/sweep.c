/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch as a sweep: sizes and offsets are dimensions of its space, and the kernels are the last,
 * or the other way round: the last dimension changes from each job to the next.
 * N is the number of elements that n counts; an offset is one of its array from a page.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/job/time_job.h"
#include "client/cmd/launch/draw.h"
#include "client/cmd/launch/kernels.h"
#include "client/cmd/launch/launch.h"
#include "client/cmd/launch/program.h"
#include "client/print/member.h"

enum {
	TEXT_BYTES = 512, PAGE_BYTES = 4096,
	/* A run has 60 s, and what a MiB of arrays takes: pages, contents, calls, comparisons. */
	RUN_MS = 60000, MIB_MS = 500, FREE_MIB = 16,
	MOST_RUN_MS = 3600000,
};

/* What an element of this name is in C; bytes: of an element without a type. */
struct element {
	const char	*name, *type;
	int64_t		 bytes;
};

static const struct element elements[] = {
	{ "float", "float", sizeof(float) },
	{ "double", "double", sizeof(double) },
	{ "int", "int", sizeof(int) },
	{ "char", "char", 1 },
};

static enum status
find_element(const struct launch *l, struct element *e, struct fault *why)
{
	struct fault	not;

	for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
		if (strcmp(l->element, elements[i].name) == 0) {
			*e = elements[i];
			return ST_OK;
		}
	*e = (struct element){ l->element, NULL, 0 };
	if (cli_int(l->element, 1, 65536, &e->bytes, &not) == ST_OK)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, "--data-size", "\"%s\" is no element", l->element);
	fault_hint(why, "give float, double, int, char, or 1 to 65536 bytes");
	return ST_BAD_REQUEST;
}

/* ---- the spec ---- */

static json_t *
routine_of(const struct launch *l, const struct element *e)
{
	char	text[TEXT_BYTES + 32 * SURVEY_MAX_ARRAYS];
	int	n = snprintf(text, sizeof text, "int %.200s(int n", l->function);

	for (int i = 0; i < l->arrays; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, ", %s *a%d",
		    e->type != NULL ? e->type : "void", i);
	(void)snprintf(text + n, sizeof text - (size_t)n, ")");
	return json_string(text);
}

/* Elements of an array as an expression: its own number, or that of all. */
static void
put_count(const struct launch *l, int array, char *buf, size_t bytes)
{
	if (l->sizes.n > 0)
		(void)snprintf(buf, bytes, "%lld", (long long)l->sizes.of[array]);
	else
		(void)snprintf(buf, bytes, strcmp(l->elements, "N") == 0 ? "%s" : "(%s)",
		    l->elements);
}

static json_t *
array_of(const struct launch *l, const struct element *e, int array)
{
	char	count[LAUNCH_ELEMENTS_BYTES + 2], dims[TEXT_BYTES];
	json_t	*operand;

	put_count(l, array, count, sizeof count);
	if (e->type != NULL)
		(void)snprintf(dims, sizeof dims, "%s + %lld", count,
		    (long long)((l->slack + e->bytes - 1) / e->bytes));
	else
		(void)snprintf(dims, sizeof dims, "%s * %lld + %lld", count, (long long)e->bytes,
		    (long long)l->slack);
	operand = json_pack("{s:[s], s:i, s:i}", "dims", dims, "align", PAGE_BYTES, "init",
	    e->type != NULL && strcmp(e->type, "int") != 0 && strcmp(e->type, "char") != 0);
	if (e->type == NULL)
		(void)json_object_set_new(operand, "type", json_string("char"));
	return operand;
}

/* The least of the sizes: no kernel reads past the end of the shortest array. */
static int64_t
least_size(const struct launch *l)
{
	int64_t	least = l->sizes.of[0];

	for (unsigned i = 1; i < l->sizes.n; i++)
		least = l->sizes.of[i] < least ? l->sizes.of[i] : least;
	return l->sizes.n > 0 ? least : l->first_size;
}

static json_t *
args_of(const struct launch *l, const struct element *e)
{
	json_t	*args = json_object();
	char	 name[16];

	(void)json_object_set_new(args, "n", l->trips > 0 ? json_integer(l->trips) :
	    l->max_stride > 1 ? json_sprintf("N / %d", (int)l->max_stride) : json_string("N"));
	for (int i = 0; i < l->arrays; i++) {
		(void)snprintf(name, sizeof name, "a%d", i);
		(void)json_object_set_new(args, name, array_of(l, e, i));
	}
	return args;
}

static void
set_positive(json_t *o, const char *name, int64_t value)
{
	if (value > 0)
		(void)json_object_set_new(o, name, json_integer(value));
}

static enum status
add_metric(const struct launch *l, json_t *timing, struct fault *why)
{
	json_t		*library;
	enum status	 st;

	if (l->metric == NULL)
		return ST_OK;
	if ((st = document_variant(l->metric, &library, why)) != ST_OK)
		return fault_within(why, "--evallib");
	(void)json_object_set_new(timing, "metric", json_pack("{s:o}", "library", library));
	return ST_OK;
}

static void
add_counters(const struct launch *l, json_t *timing)
{
	json_t	*names = json_array();

	for (unsigned i = 0; i < l->ncounters; i++)
		(void)json_array_append_new(names, json_string(l->counter[i]));
	if (l->ncounters > 0)
		(void)json_object_set(timing, "counters", names);
	json_decref(names);
}

static enum status
timing_of(const struct launch *l, json_t **out, struct fault *why)
{
	json_t	*timing = *out = json_pack("{s:s}", "clock", l->clock);

	set_positive(timing, "samples", l->samples);
	set_positive(timing, "calls", l->calls);
	set_positive(timing, "processes", l->processes);
	add_counters(l, timing);
	return add_metric(l, timing, why);
}

static enum status
context_of(const struct launch *l, json_t **context, struct fault *why)
{
	if (l->dummy_bytes == 0)
		return time_job_context(l->context, context, why);
	*context = json_pack("{s:I}", "flush_bytes", (json_int_t)l->dummy_bytes);
	return ST_OK;
}

static enum status
spec_of(const struct launch *l, json_t **out, struct fault *why)
{
	struct element	 e;
	json_t		*spec, *context = NULL, *timing = NULL;
	enum status	 st;

	*out = NULL;
	if (l->program != NULL)
		return program_spec(l, out, why);
	if ((st = find_element(l, &e, why)) != ST_OK ||
	    (st = context_of(l, &context, why)) != ST_OK ||
	    (st = timing_of(l, &timing, why)) != ST_OK) {
		json_decref(context);
		json_decref(timing);
		return st;
	}
	spec = json_pack("{s:o, s:{s:I}, s:o, s:o, s:o}", "routine", routine_of(l, &e), "params",
	    "N", (json_int_t)least_size(l), "args", args_of(l, &e), "context", context, "timing",
	    timing);
	if (spec == NULL)
		return fault_at(why, ST_BAD_REQUEST, "--kernelfunction", "is not UTF-8");
	if (l->what == LAUNCH_ITERATION)
		(void)json_object_set_new(spec, "iterations", json_string(l->iterations));
	if (l->checked != NULL)
		(void)json_object_set_new(spec, "check", json_pack("{s:s}", "iterations",
		    l->checked));
	*out = spec;
	return ST_OK;
}

/* ---- its space ---- */

static json_t *
sizes_of(const struct launch *l)
{
	json_t	*sizes = json_array();

	for (unsigned i = 0; i < l->nlisted; i++)
		(void)json_array_append_new(sizes, json_integer(l->listed[i]));
	if (l->nlisted > 0)
		return sizes;
	for (int64_t n = l->first_size; n <= l->last_size; n += l->size_step)
		(void)json_array_append_new(sizes, json_integer(n));
	return sizes;
}

static void
add_frequencies(const struct launch *l, json_t *space)
{
	json_t	*values = json_array();

	for (unsigned i = 0; i < l->nfrequencies; i++)
		(void)json_array_append_new(values, json_integer(l->frequency[i]));
	if (l->nfrequencies > 0)
		(void)json_object_set(space, LAUNCH_KHZ, values);
	json_decref(values);
}

static void
add_offsets(const struct launch *l, json_t *space)
{
	for (unsigned i = 0; i < l->survey.n; i++) {
		const struct survey_range	*r = &l->survey.of[i];
		json_t				*values = json_array();
		char				 path[32];

		for (uint64_t k = 0; k < survey_values(r); k++)
			(void)json_array_append_new(values,
			    json_integer(r->from + (int64_t)k * r->step));
		(void)snprintf(path, sizeof path, "args.a%u.offset", i);
		(void)json_object_set_new(space, path, values);
	}
}

/*
 * Of all combinations `limit`: a dimension POINT has their numbers, and each array's offset is an
 * expression of it, a digit of the number.
 */
static enum status
add_drawn_offsets(const struct launch *l, json_t *spec, json_t *space, struct fault *why)
{
	const uint64_t	 all = survey_combinations(&l->survey);
	uint64_t	 below = all;
	json_t		*points, *args = json_object_get(spec, "args");
	enum status	 st;

	if ((st = draw_numbers(all, (uint64_t)l->limit, (uint64_t)l->seed, &points, why)) != ST_OK)
		return st;
	(void)json_object_set_new(space, "POINT", points);
	(void)json_object_set_new(json_object_get(spec, "params"), "POINT", json_integer(0));
	for (unsigned i = 0; i < l->survey.n; i++) {
		const struct survey_range	*r = &l->survey.of[i];
		char				 name[16];

		below /= survey_values(r);
		(void)snprintf(name, sizeof name, "a%u", i);
		(void)json_object_set_new(json_object_get(args, name), "offset",
		    json_sprintf("%lld + %lld * (POINT / %llu %% %llu)", (long long)r->from,
		    (long long)r->step, (unsigned long long)below,
		    (unsigned long long)survey_values(r)));
	}
	return ST_OK;
}

static enum status
space_of(const struct launch *l, json_t *spec, const json_t *variants, json_t **out,
    struct fault *why)
{
	json_t		*space = json_object();
	enum status	 st = ST_OK;

	if (l->sizes_last)
		(void)json_object_set(space, "variant", (json_t *)(uintptr_t)variants);
	else if (l->program == NULL && l->sizes.n == 0)
		(void)json_object_set_new(space, "N", sizes_of(l));
	add_frequencies(l, space);
	if (l->limit > 0 && l->survey.n > 0)
		st = add_drawn_offsets(l, spec, space, why);
	else
		add_offsets(l, space);
	if (l->sizes_last)
		(void)json_object_set_new(space, "N", sizes_of(l));
	else
		(void)json_object_set(space, "variant", (json_t *)(uintptr_t)variants);
	*out = space;
	return st;
}

/* ---- the sweep ---- */

static int64_t
largest_size(const struct launch *l)
{
	int64_t	most = l->sizes.n == 0 && l->nlisted == 0 ? l->last_size : 0;

	for (unsigned i = 0; i < l->sizes.n; i++)
		most = l->sizes.of[i] > most ? l->sizes.of[i] : most;
	for (unsigned i = 0; i < l->nlisted; i++)
		most = l->listed[i] > most ? l->listed[i] : most;
	return most;
}

/* Large arrays take longer than the daemon's default allows. */
static void
add_limit(const struct launch *l, json_t *sweep)
{
	struct element	 e;
	struct fault	 not;
	int64_t		 mib, ms;

	if (l->program != NULL || find_element(l, &e, &not) != ST_OK)
		return;
	mib = (largest_size(l) >> 10) * e.bytes * (l->arrays > 0 ? l->arrays : 0) >> 10;
	if (mib <= FREE_MIB)
		return;
	ms = RUN_MS + MIB_MS * mib;
	(void)json_object_set_new(sweep, "timeout_ms", json_pack("{s:I}", "run",
	    (json_int_t)(ms < MOST_RUN_MS ? ms : MOST_RUN_MS)));
}

static json_t *
template_of(const struct launch *l)
{
	json_t	*template = json_object(), *flags = json_array();

	for (size_t i = 0; i < l->flags.n; i++)
		(void)option_flags(flags, l->flags.items[i]);
	if (json_array_size(flags) > 0)
		(void)json_object_set(template, "flags", flags);
	json_decref(flags);
	if (l->compiler != NULL)
		(void)json_object_set_new(template, "compiler", json_string(l->compiler));
	return template;
}

/* Names of sweeps are unique: without one of the user's it has the time, to the microsecond. */
static json_t *
name_of(const struct launch *l, const json_t *variants)
{
	char		 when[32];
	struct timespec	 now;
	struct tm	 tm;

	if (l->name != NULL)
		return json_string(l->name);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now.tv_sec, &tm));
	return json_sprintf("%.100s %s.%06ld", member_text(json_array_get(variants, 0), "name"),
	    when, now.tv_nsec / 1000);
}

enum status
launch_sweep_of(const struct launch *l, const json_t *variants, json_t **out, struct fault *why)
{
	json_t		*spec = NULL, *space = NULL;
	enum status	 st;

	*out = NULL;
	if ((st = spec_of(l, &spec, why)) != ST_OK ||
	    (st = space_of(l, spec, variants, &space, why)) != ST_OK) {
		json_decref(spec);
		json_decref(space);
		return st;
	}
	*out = json_pack("{s:o, s:o, s:o, s:o}", "name", name_of(l, variants), "spec", spec,
	    "template", template_of(l), "space", space);
	if (*out == NULL)
		return fault_at(why, ST_BAD_REQUEST, "--basename", "is not UTF-8");
	if (l->copies > 1)
		(void)json_object_set_new(*out, "copies", json_integer(l->copies));
	if (l->threads > 1)
		(void)json_object_set_new(*out, "threads", json_integer(l->threads));
	add_limit(l, *out);
	return ST_OK;
}

enum status
launch_sweep(const struct launch *l, json_t **out, struct fault *why)
{
	json_t		*variants;
	enum status	 st;

	*out = NULL;
	if ((st = l->program != NULL ? program_read(l, &variants, why) :
	    kernels_read(&l->kernels, &variants, why)) != ST_OK)
		return st;
	st = launch_sweep_of(l, variants, out, why);
	json_decref(variants);
	return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "proto/spec/spec.h"
#include "proto/wire/result.h"

/* ---- time ---- */

#define ROW(member, ...) SHAPE_ROW(struct summary, member, __VA_ARGS__)
static const struct shape_row	summary_rows[] = {
	ROW(min_ns, SHAPE_REAL),
	ROW(median_ns, SHAPE_REAL),
	ROW(mean_ns, SHAPE_REAL),
	ROW(p90_ns, SHAPE_REAL),
	ROW(cv, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(ci95_ns, SHAPE_PAIR, .none = SHAPE_NULL, .has = offsetof(struct summary, has_ci95_ns)),
};
static const struct shape	summary_shape = SHAPE_OF(struct summary, summary_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result_time, member, __VA_ARGS__)
#define LIST(at, title, type)	\
	{ .name = title, .kind = type, .offset = offsetof(struct result_time, samples.at) }
static const struct shape_row	state_rows[] = {
	SHAPE_ROW(struct process_state, median_ns, SHAPE_REAL),
	SHAPE_ROW(struct process_state, processes, SHAPE_SIZE),
};
static const struct shape	state_shape = SHAPE_OF(struct process_state, state_rows);
static const struct shape_row	processes_rows[] = {
	SHAPE_ROW(struct result_processes, count, SHAPE_SIZE),
	SHAPE_ROW(struct result_processes, within, SHAPE_REAL, .none = SHAPE_NULL),
	SHAPE_ROW(struct result_processes, between, SHAPE_REAL, .none = SHAPE_NULL),
	SHAPE_ROW(struct result_processes, medians_ns, SHAPE_REALS),
	SHAPE_ROW(struct result_processes, states, SHAPE_LIST, .of = &state_shape),
};
static const struct shape	processes_shape =
    SHAPE_OF(struct result_processes, processes_rows);

static const char *const	source_words[] = { "counter", "pace", NULL };
static const struct shape_row	iteration_rows[] = {
	SHAPE_ROW(struct result_iteration, iterations, SHAPE_REAL),
	SHAPE_ROW(struct result_iteration, value_ns, SHAPE_REAL, .none = SHAPE_NULL),
	SHAPE_ROW(struct result_iteration, min_ns, SHAPE_REAL),
	SHAPE_ROW(struct result_iteration, median_ns, SHAPE_REAL),
	SHAPE_ROW(struct result_iteration, cycles, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	SHAPE_ROW(struct result_iteration, cycles_by, SHAPE_TEXT, .none = SHAPE_LEFT_OUT,
	    .words = source_words),
	SHAPE_ROW(struct result_iteration, core_ghz, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
};
static const struct shape	iteration_shape =
    SHAPE_OF(struct result_iteration, iteration_rows);

static const struct shape_row	core_rows[] = {
	SHAPE_ROW(struct result_core, cpu, SHAPE_SIZE),
	SHAPE_ROW(struct result_core, overhead_ns, SHAPE_REAL),
	SHAPE_ROW(struct result_core, times, SHAPE_INLINE, .of = &summary_shape),
	SHAPE_ROW(struct result_core, max_ns, SHAPE_REAL),
	SHAPE_ROW(struct result_core, samples_ns, SHAPE_REALS),
};
static const struct shape	core_shape = SHAPE_OF(struct result_core, core_rows);

static const char *const	estimator_words[] = { "min", "median", "normalised", NULL };
static const struct shape_row	time_rows[] = {
	ROW(estimator, SHAPE_TEXT, .words = estimator_words),
	ROW(value_ns, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(quick, SHAPE_FLAG, .none = SHAPE_LEFT_OUT, .has = offsetof(struct result_time, quick)),
	ROW(raced, SHAPE_FLAG, .none = SHAPE_LEFT_OUT, .has = offsetof(struct result_time, raced)),
	ROW(bound_ns, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(raw, SHAPE_INLINE, .of = &summary_shape),
	ROW(max_ns, SHAPE_REAL),
	ROW(stddev_ns, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(normalised, SHAPE_OBJECT, .of = &summary_shape, .none = SHAPE_NULL,
	    .has = offsetof(struct result_time, has_normalised)),
	ROW(drift, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(outliers, SHAPE_SIZE),
	ROW(count, SHAPE_SIZE),
	ROW(processes, SHAPE_OBJECT, .of = &processes_shape, .none = SHAPE_NULL,
	    .has = offsetof(struct result_time, has_processes)),
	ROW(per_iteration, SHAPE_OBJECT, .of = &iteration_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct result_time, has_per_iteration)),
	ROW(cores, SHAPE_LIST, .of = &core_shape, .none = SHAPE_LEFT_OUT),
	ROW(cores_median_ns, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	LIST(ns, "samples_ns", SHAPE_REALS),
	LIST(slowness, "slowness", SHAPE_REALS),
	LIST(process, "process", SHAPE_SIZES),
	LIST(loud, "loud", SHAPE_SIZES),
	ROW(samples.beside, SHAPE_INLINE, .of = &readings_shape,
	    .kept = offsetof(struct result_time, samples.beside_text)),
};
static const struct shape	time_shape = SHAPE_OF(struct result_time, time_rows);
#undef LIST
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result_rate, member, __VA_ARGS__)
static const struct shape_row	rate_rows[] = {
	ROW(mflops_max, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(mflops_avg, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(gbs_max, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(gbs_avg, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
};
static const struct shape	rate_shape = SHAPE_OF(struct result_rate, rate_rows);
#undef ROW

/* ---- comparison ---- */

#define ROW(member, ...) SHAPE_ROW(struct comparison_side, member, __VA_ARGS__)
static const struct shape_row	side_rows[] = {
	ROW(name, SHAPE_TEXT),
	ROW(binary, SHAPE_TEXT, .none = SHAPE_NULL),
	ROW(compiler, SHAPE_OBJECT, .of = &compiler_shape, .none = SHAPE_NULL,
	    .has = offsetof(struct comparison_side, has_compiler)),
	ROW(times, SHAPE_INLINE, .of = &summary_shape),
};
static const struct shape	side_shape = SHAPE_OF(struct comparison_side, side_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result_comparison, member, __VA_ARGS__)
static const struct shape_row	comparison_rows[] = {
	ROW(found, SHAPE_INLINE, .of = &comparison_shape),
	ROW(a, SHAPE_OBJECT, .of = &side_shape),
	ROW(b, SHAPE_OBJECT, .of = &side_shape),
};
static const struct shape	both_shape = SHAPE_OF(struct result_comparison, comparison_rows);
#undef ROW

/* ---- layout ---- */

#define ROW(member, ...) SHAPE_ROW(struct result_layout_point, member, __VA_ARGS__)
static const char *const	varied_words[] = {
	"none", "code", "operands", "stack", "all", NULL
};
static const struct shape_row	point_rows[] = {
	ROW(varied, SHAPE_TEXT, .words = varied_words),
	ROW(code_offset, SHAPE_SIZE),
	ROW(operand_shift, SHAPE_SIZES),
	ROW(stack_offset, SHAPE_SIZE),
	ROW(median_ns, SHAPE_REAL),
};
static const struct shape	point_shape = SHAPE_OF(struct result_layout_point, point_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct layout_factors, member, __VA_ARGS__)
static const struct shape_row	factors_rows[] = {
	ROW(code, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(operands, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(stack, SHAPE_REAL, .none = SHAPE_NULL),
};
static const struct shape	factors_shape = SHAPE_OF(struct layout_factors, factors_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result_layouts, member, __VA_ARGS__)
static const struct shape_row	layouts_rows[] = {
	ROW(layouts, SHAPE_SIZE),
	ROW(seed, SHAPE_SIZE),
	ROW(samples, SHAPE_SIZE),
	ROW(cut_short, SHAPE_FLAG),
	ROW(normalised, SHAPE_FLAG),
	ROW(spread, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(repeat, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(by, SHAPE_OBJECT, .of = &factors_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct result_layouts, has_by)),
	ROW(stays, SHAPE_NOTES),
	ROW(each, SHAPE_LIST, .of = &point_shape),
};
static const struct shape	layouts_shape = SHAPE_OF(struct result_layouts, layouts_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result_layout, member, __VA_ARGS__)
static const char *const	mode_words[] = { "fixed", "sweep", "random", NULL };
static const struct shape_row	layout_rows[] = {
	ROW(mode, SHAPE_TEXT, .words = mode_words),
	ROW(code_offset, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(stack_offset, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(several, SHAPE_INLINE, .of = &layouts_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct result_layout, has_several)),
};
static const struct shape	layout_shape = SHAPE_OF(struct result_layout, layout_rows);
#undef ROW

/* ---- what the job says of itself, as it is ---- */

static enum status
get_json(json_t **out, const struct node *n, json_type type, const char *wanted, struct fault *why)
{
	*out = NULL;
	if (n->value == NULL || json_is_null(n->value))
		return ST_OK;
	if (json_typeof(n->value) != type)
		return decode_refuse_type(n, wanted, why);
	*out = (json_t *)(uintptr_t)n->value;
	return ST_OK;
}

static enum status
get_params(void *out, const struct node *n, struct fault *why)
{
	struct result	*r = out;
	const char	*name;
	json_t		*value;
	enum status	 st = get_json(&r->params, n, JSON_OBJECT, "an object", why);

	json_object_foreach(r->params, name, value) {
		struct node	param = { .up = n, .name = name, .value = value };

		if (!json_is_number(value) && !json_is_string(value))
			return decode_refuse_type(&param, "a number or a string", why);
	}
	return st;
}

static enum status
get_flags(void *out, const struct node *n, struct fault *why)
{
	struct result	*r = out;
	enum status	 st = get_json(&r->flags, n, JSON_ARRAY, "an array", why);

	for (size_t i = 0; i < json_array_size(r->flags); i++) {
		struct node	flag = decode_element(n, i);

		if (!json_is_string(flag.value))
			return decode_refuse_type(&flag, "a string", why);
	}
	return st;
}

static enum status
get_meta(void *out, const struct node *n, struct fault *why)
{
	return get_json(&((struct result *)out)->meta, n, JSON_OBJECT, "an object", why);
}

/* The functions of a member that is JSON of any form; NULL: there is none. */
#define JSON_MEMBER(member)								\
	static bool									\
	has_no_##member(const void *in)							\
	{										\
		return ((const struct result *)in)->member == NULL;			\
	}										\
	static void									\
	put_##member(struct text *t, const void *in)					\
	{										\
		text_json(t, ((const struct result *)in)->member);			\
	}
JSON_MEMBER(params)
JSON_MEMBER(flags)
JSON_MEMBER(meta)

/* ---- the whole ---- */

#define ROW(member, ...) SHAPE_ROW(struct result_sweep, member, __VA_ARGS__)
static const struct shape_row	sweep_rows[] = {
	ROW(id, SHAPE_INTEGER),
	ROW(name, SHAPE_TEXT),
};
static const struct shape	sweep_shape = SHAPE_OF(struct result_sweep, sweep_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result_stages, member, __VA_ARGS__)
static const struct shape_row	stages_rows[] = {
	ROW(queued, SHAPE_REAL),
	ROW(build, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(waited, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(run, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
};
static const struct shape	stages_shape = SHAPE_OF(struct result_stages, stages_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct result, member, __VA_ARGS__)
#define HAS(member) .none = SHAPE_NULL, .has = offsetof(struct result, has_##member)
#define OWN(member)								\
	ROW(member, SHAPE_OWN, .none = SHAPE_NULL, .get = get_##member, .put = put_##member,	\
	    .is_none = has_no_##member)
#define X(name, code, word, t4, text) word,
static const char *const	status_words[] = { STATUS_OUTCOMES(X) NULL };
#undef X
static const char *const	invalidity_words[] = {
	"correct", "constraints", "compile", "runtime", "timeout", "correctness", NULL
};
static const char *const	withheld_words[] = { "detail", "technique.checkpoint.image", "meta",
				    NULL };
static const struct shape_row	result_rows[] = {
	ROW(job, SHAPE_INTEGER),
	ROW(cursor, SHAPE_INTEGER),
	ROW(repeat_of, SHAPE_INTEGER, .none = SHAPE_LEFT_OUT),
	ROW(sweep, SHAPE_OBJECT, .of = &sweep_shape, HAS(sweep)),
	ROW(yardstick, SHAPE_FLAG, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct result, yardstick)),
	ROW(corrected_ns, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(uncorrected, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(name, SHAPE_TEXT),
	ROW(routine, SHAPE_TEXT),
	ROW(spec_hash, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(status, SHAPE_TEXT, .words = status_words),
	ROW(status_text, SHAPE_TEXT),
	ROW(invalidity, SHAPE_TEXT, .words = invalidity_words),
	ROW(detail, SHAPE_TEXT, .none = SHAPE_NULL),
	ROW(time, SHAPE_OBJECT, .of = &time_shape, HAS(time)),
	ROW(rate, SHAPE_OBJECT, .of = &rate_shape, HAS(rate)),
	ROW(found, SHAPE_INLINE, .of = &findings_shape),
	ROW(layout, SHAPE_OBJECT, .of = &layout_shape, HAS(layout)),
	ROW(comparison, SHAPE_OBJECT, .of = &both_shape, HAS(comparison)),
	OWN(params),
	OWN(flags),
	ROW(compiler, SHAPE_OBJECT, .of = &compiler_shape, HAS(compiler)),
	ROW(build_jail, SHAPE_OBJECT, .of = &containment_shape, HAS(build_jail)),
	ROW(binary, SHAPE_TEXT, .none = SHAPE_NULL),
	ROW(driver, SHAPE_TEXT, .none = SHAPE_NULL),
	ROW(built, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = built_words),
	ROW(unit_variants, SHAPE_SIZE, .none = SHAPE_LEFT_OUT, .least = 2, .most = 64),
	ROW(code_bytes, SHAPE_SIZE, .none = SHAPE_LEFT_OUT, .least = 1, .most = INT64_MAX),
	ROW(stages_ms, SHAPE_OBJECT, .of = &stages_shape),
	ROW(submitter, SHAPE_INTEGER),
	ROW(user_name, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(withheld, SHAPE_TEXTS, .none = SHAPE_LEFT_OUT, .words = withheld_words),
	ROW(submitted, SHAPE_REAL),
	ROW(finished, SHAPE_REAL),
	ROW(fitness, SHAPE_TEXT, .none = SHAPE_NULL),
	ROW(host_class, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(attempts, SHAPE_SIZE),
	OWN(meta),
};
static const struct shape	result_shape = SHAPE_OF(struct result, result_rows);
#undef OWN
#undef HAS
#undef ROW

void
result_clear(struct result *r)
{
	shape_clear(&result_shape, r);
}

enum status
result_get(struct result *r, const json_t *doc, enum shape_way way, struct fault *why)
{
	const struct node	root = { .value = doc };

	return shape_get(&result_shape, r, &root, way, why);
}

char *
result_put(const struct result *r)
{
	return shape_put(&result_shape, r, SHAPE_EXACT);
}

void
result_release(struct result *r)
{
	shape_release(&result_shape, r);
}

bool
result_interval(const struct result_time *t, double ci95_ns[2])
{
	const struct summary	*s = &t->raw;

	if (t->estimator == NULL || !(t->value_ns > 0))
		return false;
	if (strcmp(t->estimator, estimator_name(EST_NORMALISED)) == 0 && t->has_normalised)
		s = &t->normalised;
	else if (strcmp(t->estimator, estimator_name(EST_MEDIAN)) != 0)
		return false;
	ci95_ns[0] = s->ci95_ns[0];
	ci95_ns[1] = s->ci95_ns[1];
	return s->has_ci95_ns;
}

const char *
result_words(const struct result *r)
{
	enum status	st;

	if (r->status == NULL || !status_from_word(&st, r->status))
		return r->status_text;
	return st == ST_OK && !r->found.check.done ? "timed, not checked" : status_text(st);
}

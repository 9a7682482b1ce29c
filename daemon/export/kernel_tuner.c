/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cache file of Kernel Tuner 1.4: what its simulation mode and its tools read.  Times are
 * milliseconds.  `time` is the value that rankings compare, `times` are the samples; both are per
 * call.
 *
 * A key is the values of a point joined by commas, as Python's str() writes them.  A comma in a
 * value is written %2C, there and in the value, so that keys cannot be mistaken for each other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export_impl.h"
#include "daemon/store/store_export.h"

#define JOB	"job"			/* one more tunable, where names repeat */

static void
put_escaped(struct text *out, const char *s)
{
	for (; *s != '\0'; s++)
		text_raw(out, *s == ',' ? "%2C" : s, *s == ',' ? 3 : 1);
}

/* A value of a tunable, as in the key. */
static void
put_tunable(struct text *out, json_t *value)
{
	struct text	 t = { .at = NULL };
	char		*s;

	if (!json_is_string(value)) {
		text_json(out, value);
	} else {
		put_escaped(&t, json_string_value(value));
		s = text_take(&t);
		text_string(out, s != NULL ? s : "");
		free(s);
	}
	json_decref(value);
}

/* ---- the head ---- */

static void
put_name(void *arg, const char *name)
{
	struct text	*out = arg;

	text_comma(out);
	put_tunable(out, json_string(name));
}

static void
put_job(void *arg, int64_t job)
{
	text_comma(arg);
	text_integer(arg, job);
}

static void
put_values(struct export *e, struct text *out, size_t at)
{
	const json_t	*values = export_values(e, at);

	text_char(out, '[');
	if (values == NULL)
		store_sweep_names(e->store, e->sweep_id, put_name, out);
	for (size_t i = 0; i < json_array_size(values); i++) {
		text_comma(out);
		put_tunable(out, export_value_at(e, at, i));
	}
	text_char(out, ']');
}

static void
put_keys(struct export *e, struct text *out)
{
	text_name(out, "tune_params_keys");
	text_char(out, '[');
	for (size_t i = 0; i < export_dimensions(e); i++) {
		text_comma(out);
		text_string(out, export_dimension(e, i));
	}
	if (e->names_repeat) {
		text_comma(out);
		text_string(out, JOB);
	}
	text_char(out, ']');
}

static void
put_space(struct export *e, struct text *out)
{
	text_name(out, "tune_params");
	text_char(out, '{');
	for (size_t i = 0; i < export_dimensions(e); i++) {
		text_name(out, export_dimension(e, i));
		put_values(e, out, i);
	}
	if (e->names_repeat) {
		text_name(out, JOB);
		text_char(out, '[');
		store_sweep_ended(e->store, e->sweep_id, put_job, out);
		text_char(out, ']');
	}
	text_char(out, '}');
}

/* The params that are no dimension. */
static void
put_problem(struct export *e, struct text *out)
{
	const char	*name;
	json_t		*value;

	text_name(out, "problem_size");
	text_char(out, '[');
	json_object_foreach((json_t *)(uintptr_t)e->head.params, name, value) {
		if (!json_is_integer(value) ||
		    json_object_get(json_object_get(e->doc, "space"), name) != NULL)
			continue;
		text_comma(out);
		text_json(out, value);
	}
	text_char(out, ']');
}

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	char	device[120];

	(void)why;
	export_device(e, device, sizeof device);
	text_char(out, '{');
	export_member_text(out, "device_name", device);
	export_member_text(out, "kernel_name", e->head.routine != NULL ? e->head.routine : "");
	put_problem(e, out);
	put_keys(e, out);
	put_space(e, out);
	export_member_text(out, "objective", "time");
	text_name(out, "cache");
	text_raw(out, "{\n", 2);
	return ST_OK;
}

/* ---- a result ---- */

static const char *
error_of(const struct result *r)
{
	if (r->invalidity != NULL && strcmp(r->invalidity, "compile") == 0)
		return "CompilationFailedConfig";
	if (r->invalidity != NULL && strcmp(r->invalidity, "constraints") == 0)
		return "InvalidConfig";
	return "RuntimeFailedConfig";
}

static void
put_key(const struct export *e, struct text *out, const struct export_row *row)
{
	struct text	 key = { .at = NULL };
	char		 job[32], *s;

	for (size_t i = 0; i < export_dimensions(e); i++) {
		json_t	*value = export_value(e, i, row);

		if (i > 0)
			text_char(&key, ',');
		if ((s = export_plain(value, EXPORT_PYTHON_WORDS)) != NULL)
			put_escaped(&key, s);
		free(s);
		json_decref(value);
	}
	(void)snprintf(job, sizeof job, ",%lld", (long long)row->result->job);
	if (e->names_repeat)
		text_raw(&key, job, strlen(job));
	s = text_take(&key);
	text_string(out, s != NULL ? s : "");
	free(s);
	text_char(out, ':');
}

static void
put_point(const struct export *e, struct text *out, const struct export_row *row)
{
	for (size_t i = 0; i < export_dimensions(e); i++) {
		text_name(out, export_dimension(e, i));
		put_tunable(out, export_value(e, i, row));
	}
	if (e->names_repeat) {
		text_name(out, JOB);
		text_integer(out, row->result->job);
	}
}

static void
put_times(struct text *out, const struct result *r)
{
	const struct shape_reals	*ns = &r->time.samples.ns;

	export_member_real(out, "time", r->time.value_ns / 1e6);
	text_name(out, "times");
	text_char(out, '[');
	for (size_t i = 0; i < ns->n; i++) {
		text_comma(out);
		text_real(out, ns->x[i] / 1e6);
	}
	text_char(out, ']');
	if (r->has_rate) {
		export_member_real(out, "GFLOP/s", r->rate.mflops_avg / 1e3);
		export_member_real(out, "GB/s", r->rate.gbs_avg);
	}
}

static void
put_stages(struct text *out, const struct result *r)
{
	char	moment[EXPORT_TIME_BYTES];

	export_moment(r->finished, ' ', moment);
	export_member_real(out, "compile_time", export_stage(r->stages_ms.build));
	export_member_real(out, "verification_time", 0);
	export_member_real(out, "benchmark_time", export_stage(r->stages_ms.run));
	export_member_real(out, "strategy_time", 0);
	export_member_real(out, "framework_time", 0);
	export_member_text(out, "timestamp", moment);
}

static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	if (e->rows > 0)
		text_raw(out, ",\n", 2);
	put_key(e, out, row);
	text_char(out, '{');
	put_point(e, out, row);
	if (export_is_timed(row->result))
		put_times(out, row->result);
	else
		export_member_text(out, "__error__", error_of(row->result));
	put_stages(out, row->result);
	text_char(out, '}');
	return true;
}

static void
end(struct export *e, struct text *out)
{
	(void)e;
	text_raw(out, "\n}\n}\n", 5);
}

const struct export_format	export_kernel_tuner = {
	.name = "kernel-tuner", .type = "application/json", .suffix = ".json",
	.needs_unique = true, .begin = begin, .row = put_row, .end = end,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T4, the results format of the autotuning methodology, in its versions 1.0.0 and 1.1.0.  Times
 * are milliseconds.  Writers of both spell the time of compilation in two ways: both are there.
 * `correctness` is 1 for answers that were checked and were right, and for no others.
 */
#include <math.h>
#include <string.h>

#include "daemon/export/export_impl.h"
#include "proto/base/version.h"

static bool
is_1_1(const struct export *e)
{
	return e->format == &export_t4_1_1;
}

/* The program of 1.1.0's list is none of OpenCL, CUDA and Vulkan: compute_api is left out. */
static void
put_metadata(const struct export *e, struct text *out)
{
	char	device[120], moment[EXPORT_TIME_BYTES];

	text_name(out, "metadata");
	text_char(out, '{');
	export_member_text(out, "timeunit", "milliseconds");
	if (is_1_1(e)) {
		export_device(e, device, sizeof device);
		export_moment(e->sweep.submitted, 'T', moment);
		export_member_text(out, "platform", e->head.has_compiler ?
		    e->head.compiler.target : "unknown");
		export_member_text(out, "device", device);
		export_member_text(out, "autotuner", "Assay");
		export_member_text(out, "autotuner_version", ASSAY_VERSION);
		export_member_text(out, "timestamp", moment);
	}
	text_char(out, '}');
}

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	(void)why;
	text_char(out, '{');
	export_member_text(out, "schema_version", is_1_1(e) ? "1.1.0" : "1.0.0");
	put_metadata(e, out);
	text_name(out, "results");
	text_raw(out, "[\n", 2);
	return ST_OK;
}

static void
put_configuration(const struct export *e, struct text *out, const struct export_row *row)
{
	json_t	*value;

	text_name(out, "configuration");
	text_char(out, '{');
	for (size_t i = 0; i < export_dimensions(e); i++) {
		value = export_value(e, i, row);
		text_name(out, export_dimension(e, i));
		text_json(out, value);
		json_decref(value);
	}
	text_char(out, '}');
}

static void
put_times(struct text *out, const struct result *r)
{
	const double			 build_ms = export_stage(r->stages_ms.build);
	const struct shape_reals	*ns = &r->time.samples.ns;

	text_name(out, "times");
	text_char(out, '{');
	export_member_real(out, "compilation", build_ms);
	export_member_real(out, "compilation_time", build_ms);
	export_member_real(out, "benchmark", export_stage(r->stages_ms.run));
	export_member_real(out, "framework", 0);
	export_member_real(out, "search_algorithm", 0);
	export_member_real(out, "validation", 0);
	text_name(out, "runtimes");
	text_char(out, '[');
	for (size_t i = 0; export_is_timed(r) && i < ns->n; i++) {
		text_comma(out);
		text_real(out, ns->x[i] / 1e6);
	}
	text_raw(out, "]}", 2);
}

static void
put_measurement(const struct export *e, struct text *out, const char *name, double value,
    const char *unit)
{
	if (!isfinite(value))
		return;
	text_comma(out);
	text_char(out, '{');
	export_member_text(out, "name", name);
	export_member_real(out, "value", value);
	export_member_text(out, "unit", unit);
	if (is_1_1(e))
		export_member_text(out, "type", "Double");
	text_char(out, '}');
}

/* `time` once, as it is the objective, and only of a result that has one. */
static void
put_measurements(const struct export *e, struct text *out, const struct result *r)
{
	double	ci95_ns[2];

	text_name(out, "measurements");
	text_char(out, '[');
	if (export_is_timed(r)) {
		put_measurement(e, out, "time", r->time.value_ns / 1e6, "ms");
		put_measurement(e, out, "time_min", r->time.raw.min_ns / 1e6, "ms");
		put_measurement(e, out, "time_median", r->time.raw.median_ns / 1e6, "ms");
		put_measurement(e, out, "time_mean", r->time.raw.mean_ns / 1e6, "ms");
		if (result_interval(&r->time, ci95_ns)) {
			put_measurement(e, out, "time_low", ci95_ns[0] / 1e6, "ms");
			put_measurement(e, out, "time_high", ci95_ns[1] / 1e6, "ms");
		}
		if (r->has_rate) {
			put_measurement(e, out, "GFLOP/s", r->rate.mflops_avg / 1e3, "GFLOP/s");
			put_measurement(e, out, "GB/s", r->rate.gbs_avg, "GB/s");
		}
	}
	text_char(out, ']');
}

/* Given up, because it surely takes longer than a bound: it ran out of the time that it had. */
static const char *
invalidity_of(const struct result *r)
{
	if (r->has_time && r->time.raced)
		return "timeout";
	return r->invalidity != NULL ? r->invalidity : "runtime";
}

static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	const struct result	*r = row->result;
	char			 moment[EXPORT_TIME_BYTES];

	if (e->rows > 0)
		text_raw(out, ",\n", 2);
	export_moment(r->finished, 'T', moment);
	text_char(out, '{');
	export_member_text(out, "timestamp", moment);
	put_configuration(e, out, row);
	text_name(out, "objectives");
	text_raw(out, "[\"time\"]", 8);
	put_times(out, r);
	export_member_text(out, "invalidity", invalidity_of(r));
	text_name(out, "correctness");
	text_integer(out, export_is_timed(r) && export_is_checked(r));
	put_measurements(e, out, r);
	text_char(out, '}');
	return true;
}

static void
end(struct export *e, struct text *out)
{
	(void)e;
	text_raw(out, "\n]\n}\n", 5);
}

const struct export_format	export_t4 = {
	.name = "t4", .type = "application/json", .suffix = ".t4.json",
	.begin = begin, .row = put_row, .end = end,
};
const struct export_format	export_t4_1_1 = {
	.name = "t4-1.1", .type = "application/json", .suffix = ".t4.json",
	.begin = begin, .row = put_row, .end = end,
};

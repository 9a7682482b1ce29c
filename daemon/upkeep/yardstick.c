/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stddef.h>

#include "daemon/upkeep/yardstick.h"

enum {
	LOWEST_PRIORITY = -100, HIGHEST_PRIORITY = 100,	/* cold jobs wait for a calibration */
	FLUSH_SAMPLES = 7, WALK_SAMPLES = 15, TRIAL_SAMPLES = 3,
	QUIET_MS = 500,		/* that a calibration's job waits for quiet */
	LINE_BYTES = 64, WALK_SHARE = 8,	/* a walk is through an 8th of its cache */
};

/* Enough sums at once, so that it waits for memory and not for additions. */
static const char	source[] =
    "double assay_dot(const int N, const double *X, const double *Y)\n"
    "{\n"
    "\tdouble sum[16] = { 0 }, all = 0;\n"
    "\tint i = 0;\n"
    "\n"
    "\tfor (; i + 16 <= N; i += 16)\n"
    "\t\tfor (int k = 0; k < 16; k++)\n"
    "\t\t\tsum[k] += X[i + k] * Y[i + k];\n"
    "\tfor (; i < N; i++)\n"
    "\t\tall += X[i] * Y[i];\n"
    "\tfor (int k = 0; k < 16; k++)\n"
    "\t\tall += sum[k];\n"
    "\treturn all;\n"
    "}\n";

static const struct {
	const char	*name, *words, *context;
	int		 n;
} kinds[YARDSTICK_N] = {
	[YARDSTICK_WARM] = { "dot_warm", "dot product of 1000 doubles, in cache", "warm", 1000 },
	[YARDSTICK_COLD] = { "dot_cold", "dot product of 10000 doubles (160 kB), out of cache",
	"cold", 10000 },
};

const char *
yardstick_name(enum yardstick y)
{
	return kinds[y].name;
}

const char *
yardstick_words(enum yardstick y)
{
	return kinds[y].words;
}

/* Each step's place depends on the last one's load, in an order that no prefetcher follows. */
static const char	walk_source[] =
    "long assay_walk(const int N, const long *X)\n"
    "{\n"
    "\tunsigned long at = 0;\n"
    "\n"
    "\tfor (int i = 0; i < N; i++)\n"
    "\t\tat = (5 * at + 3 + (unsigned long)X[8 * at]) & (unsigned long)(N - 1);\n"
    "\treturn (long)at;\n"
    "}\n";

/* Takes the references of spec, context and timing. */
static json_t *
job(const char *name, const char *text, int priority, json_t *spec, json_t *context,
    json_t *timing)
{
	json_t	*variant = json_pack("{s:s, s:s, s:s, s:[s, s, s]}", "language", "c", "name", name,
		    "source", text, "flags", "-O3", "-march=native", "-ffast-math");

	(void)json_object_set_new(spec, "context", context);
	(void)json_object_set_new(spec, "timing", timing);
	return json_pack("{s:o, s:o, s:i, s:b, s:{s:s}}", "variant", variant, "spec", spec,
	    "priority", priority, "fresh", 1, "meta", "upkeep", name);
}

static json_t *
dot_spec(int n)
{
	return json_pack("{s:s, s:{s:i}, s:{s:s, s:{s:[s]}, s:{s:[s]}}, s:s, s:s}", "routine",
	    "double assay_dot(const int N, const double *X, const double *Y)",
	    "params", "N", n, "args", "N", "N", "X", "dims", "N", "Y", "dims", "N", "flops",
	    "2*N", "bytes", "16*N");
}

/* N lines of 64 bytes. */
static json_t *
walk_spec(int lines)
{
	return json_pack("{s:s, s:{s:i}, s:{s:s, s:{s:s, s:[s], s:{s:i}}}}", "routine",
	    "long assay_walk(const int N, const long *X)", "params", "N", lines, "args", "N", "N",
	    "X", "type", "long", "dims", "8*N", "init", "value", 0);
}

/* Of a calibration: it is about this host at rest, as far as that can be had. */
static json_t *
flushed_timing(int samples, bool quiet)
{
	json_t	*timing = json_pack("{s:i, s:s, s:{s:s}}", "samples", samples, "estimator",
		    "median", "flush", "method", "OneCallFlushLRU");

	if (quiet) {
		(void)json_object_set_new(timing, "gate", json_true());
		(void)json_object_set_new(timing, "budget_ms", json_integer(QUIET_MS));
	}
	return timing;
}

static json_t *
flushed_context(uint64_t bytes)
{
	return json_pack("{s:I}", "flush_bytes", (json_int_t)bytes);
}

json_t *
yardstick_job(enum yardstick y)
{
	return job(kinds[y].name, source, LOWEST_PRIORITY, dot_spec(kinds[y].n),
	    json_string(kinds[y].context), json_object());
}

json_t *
yardstick_job_trial(uint64_t number)
{
	json_t	*j = job("trial", source, HIGHEST_PRIORITY, dot_spec(kinds[YARDSTICK_WARM].n),
		    json_string("warm"), json_pack("{s:i, s:b}", "samples", (int)TRIAL_SAMPLES,
		    "gate", 0));

	(void)json_object_set_new(j, "retries", json_integer(0));
	(void)json_array_append_new(json_object_get(json_object_get(j, "variant"), "flags"),
	    json_sprintf("-DASSAY_TRIAL=%" PRIu64, number));
	return j;
}

json_t *
yardstick_job_flushed(uint64_t flush_bytes, bool quiet)
{
	return job("dot_flushed", source, HIGHEST_PRIORITY, dot_spec(kinds[YARDSTICK_COLD].n),
	    flushed_context(flush_bytes), flushed_timing(FLUSH_SAMPLES, quiet));
}

json_t *
yardstick_job_memory(void)
{
	return job("dot_memory", source, HIGHEST_PRIORITY, dot_spec(kinds[YARDSTICK_COLD].n),
	    json_string("cold"), json_pack("{s:i, s:s, s:b}", "samples", (int)WALK_SAMPLES,
	    "estimator", "median", "gate", 0));
}

json_t *
yardstick_job_walk(uint64_t cache_bytes, uint64_t flush_bytes, bool quiet)
{
	int	lines = 1;

	while ((uint64_t)lines * LINE_BYTES * WALK_SHARE * 2 <= cache_bytes)
		lines *= 2;
	return job("walk_flushed", walk_source, HIGHEST_PRIORITY, walk_spec(lines),
	    flushed_context(flush_bytes), flushed_timing(WALK_SAMPLES, quiet));
}

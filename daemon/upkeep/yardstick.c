/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "daemon/upkeep/yardstick.h"

enum { LOWEST_PRIORITY = -100, FLUSH_SAMPLES = 7 };

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

/* Takes the references of context and timing. */
static json_t *
job(const char *name, int n, int priority, json_t *context, json_t *timing)
{
	json_t	*variant = json_pack("{s:s, s:s, s:s, s:[s, s, s]}", "language", "c", "name", name,
		    "source", source, "flags", "-O3", "-march=native", "-ffast-math");
	json_t	*spec = json_pack("{s:s, s:{s:i}, s:{s:s, s:{s:[s]}, s:{s:[s]}}, s:s, "
		    "s:s, s:o, s:o}", "routine",
		    "double assay_dot(const int N, const double *X, const double *Y)",
		    "params", "N", n, "args", "N", "N", "X", "dims", "N", "Y", "dims", "N", "flops",
		    "2*N", "bytes", "16*N", "context", context, "timing", timing);

	return json_pack("{s:o, s:o, s:i, s:{s:s}}", "variant", variant, "spec", spec,
	    "priority", priority, "meta", "upkeep", name);
}

json_t *
yardstick_job(enum yardstick y)
{
	return job(kinds[y].name, kinds[y].n, LOWEST_PRIORITY, json_string(kinds[y].context),
	    json_object());
}

json_t *
yardstick_job_flushed(uint64_t flush_bytes)
{
	json_t	*context = json_pack("{s:I}", "flush_bytes", (json_int_t)flush_bytes);
	json_t	*timing = json_pack("{s:i, s:s, s:{s:s}}", "samples", (int)FLUSH_SAMPLES,
		    "estimator", "median", "flush", "method", "OneCallFlushLRU");

	return job("dot_flushed", kinds[YARDSTICK_COLD].n, 0, context, timing);
}

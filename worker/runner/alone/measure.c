/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: each is a region of calls on operands whose state was made before. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "proto/base/clock.h"
#include "worker/runner/alone/measure.h"

#define USUAL_SAMPLES	33u
#define FEWEST_SAMPLES	7u
#define PATIENCE_NS	5000000000u	/* then the fewest will do */
#define REGION_NS	20000.0		/* a warm region is at least as long */
#define LONG_CALL_NS	1000.0		/* what changes its input is called once if it is */
#define RATE_NS		20000000u	/* as long as the cycle counter is compared */
#define MOST_CALLS	(1u << 24)

struct sampler {
	struct memory	*memory;	/* borrowed */
	rt_code		*code;
	uint64_t	 calls;
	double		 tick_ns, overhead_ns;	/* overhead: of a region with an empty call */
	uint64_t	 flushed_lines;
};

/* ---- the clock ---- */

static int
is_cycle(void)
{
	return strcmp(assay_driver.rt_clock, "cycle") == 0;
}

const char *
measure_clock(void)
{
#if defined(__x86_64__)
	unsigned	a, b, c, d;

	if (is_cycle() && !(__get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8)))
		return "the cycle counter has no constant rate here: set timing.clock of the spec "
		    "to \"wall\"";
#endif
	return NULL;
}

static double
tick_ns(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	if (is_cycle()) {
		const uint64_t	from_ns = clock_now_ns(), from = rt_cycle_start();
		uint64_t	ns;

		while ((ns = clock_now_ns() - from_ns) < RATE_NS)
			continue;
		return (double)ns / (double)(rt_cycle_stop() - from);
	}
#endif
	return 1;
}

/* ---- samples ---- */

static double
region_ns(const struct sampler *s, rt_code *code, uint64_t calls)
{
	return (double)assay_driver.rt_repeat(code, s->memory->at, calls) * s->tick_ns;
}

/* Of a call. */
static double
sample_ns(struct sampler *s)
{
	double	ns;

	if (s->memory->spec.rt_restores)
		memory_restore_inout(s->memory);
	s->flushed_lines = memory_prepare(s->memory);
	ns = region_ns(s, s->code, s->calls) - s->overhead_ns;
	return ns > 0 ? ns / (double)s->calls : 0;
}

static int
changes_its_input(const struct memory *m)
{
	for (uint32_t k = 0; k < m->n; k++)
		if (m->operand[k]->rt_access == 'b')
			return 1;
	return 0;
}

/* So many calls that a region is long beside the clock's steps; cold operands are so for one. */
static void
choose_calls(struct sampler *s)
{
	const struct memory	*m = s->memory;
	double			 call_ns;

	s->calls = m->spec.rt_calls != 0 ? m->spec.rt_calls : 1;
	if (m->spec.rt_calls != 0 || memory_is_cold(m))
		return;
	call_ns = sample_ns(s);
	if (m->spec.rt_restores && changes_its_input(m) && call_ns >= LONG_CALL_NS)
		return;
	while (s->calls < MOST_CALLS && sample_ns(s) * (double)s->calls < REGION_NS)
		s->calls *= 2;
}

static double
least_overhead_ns(const struct sampler *s)
{
	double	least = region_ns(s, assay_driver.rt_empty, 1);

	for (int i = 0; i < 4; i++) {
		const double	ns = region_ns(s, assay_driver.rt_empty, 1);

		least = ns < least ? ns : least;
	}
	return least;
}

static int
compare_reals(const void *a, const void *b)
{
	const double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
summarise(double *ns, uint64_t n, struct measured *out)
{
	qsort(ns, n, sizeof *ns, compare_reals);
	out->samples = n;
	out->min_ns = ns[0];
	out->median_ns = n % 2 == 1 ? ns[n / 2] : (ns[n / 2 - 1] + ns[n / 2]) / 2;
}

const char *
measure(struct memory *m, rt_code *code, struct measured *out)
{
	const uint64_t	wanted = m->spec.rt_samples != 0 ? m->spec.rt_samples : USUAL_SAMPLES;
	struct sampler	s = { .memory = m, .code = code, .calls = 1, .tick_ns = tick_ns() };
	double		*ns = calloc(wanted, sizeof *ns);
	uint64_t	began, n = 0;

	if (ns == NULL)
		return "no memory for samples";
	s.overhead_ns = least_overhead_ns(&s);
	(void)sample_ns(&s);		/* code and pages are in memory then */
	choose_calls(&s);
	for (began = clock_now_ns(); n < wanted; n++) {
		if (m->spec.rt_samples == 0 && n >= FEWEST_SAMPLES &&
		    clock_now_ns() - began > PATIENCE_NS)
			break;
		ns[n] = sample_ns(&s);
	}
	summarise(ns, n, out);
	out->calls = s.calls;
	out->flushed_lines = s.flushed_lines;
	free(ns);
	return NULL;
}

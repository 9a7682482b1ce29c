/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the supervisor measures of routines whose times are known, or known to differ by where their
 * operands are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/rank.h"
#include "tests/support/workshop.h"

#define JOB(source, spec) \
	"{'variant': {'language': 'c', 'source': '" source "'}, 'spec': " spec "}"

/* The least time of a job that must end well. */
static double
min_ns_of(const char *job)
{
	timing_succeed(&t, job);
	return timing_min_ns(&t);
}

/*
 * A chase through 64 KiB in random order: what is not in the cache costs a trip to memory for every
 * step.
 */
#define CHASE \
	"int chase(int n, const unsigned *p) {" \
	" unsigned at = 0; for (int i = 0; i < n; i++) at = p[at]; return at; }"
#define CHASE_SPEC(context, timing) \
	"{'routine': 'int chase(int n, const unsigned *p)', 'args': {'n': 4000," \
	"'p': {'dims': [16384], 'init': {'permutation': {}}}}, 'context': '" context "' " timing "}"

static void
test_contexts_P12_a_cold_operand_takes_several_times_as_long_as_a_warm_one(void **state)
{
	const double	warm = min_ns_of(JOB(CHASE, CHASE_SPEC("warm", "")));
	double		cold, of_result;

	(void)state;
	cold = min_ns_of(JOB(CHASE, CHASE_SPEC("cold",
	    ", 'timing': {'flush': {'method': 'OneCallFlushX86'}}")));
	of_result = timing_number(&t, "evidence", "cold_over_warm");
	print_message("4000 steps: warm %.0f ns, cold %.0f ns; the result says %.1f times\n", warm,
	    cold, of_result);
	assert_true(cold > 3 * warm);
	assert_true(of_result > 3);
}

static void
test_contexts_P38_auto_flushes_a_short_call_by_moving_through_sets(void **state)
{
	(void)state;
	timing_succeed(&t, JOB("double get(const double *x) { return x[0]; }",
	    "{'routine': 'double get(const double *x)', 'args': {'x': {'dims': [8]}}}"));
	print_message("%s, %.0f calls a sample\n", timing_word(&t, "technique", "method"),
	    timing_number(&t, "technique", "calls"));
	assert_string_equal(timing_word(&t, "technique", "method"), "MultiCallFlushLRU");
	assert_string_equal(timing_word(&t, "technique", "walk"), "random");
	assert_true(timing_number(&t, "technique", "calls") > 1);
}

static double
middle_ns(void)
{
	const json_t	*ns = timing_samples(&t, "ns");
	const size_t	 n = json_array_size(ns);
	double		*x = calloc(n + 1, sizeof *x), middle;

	assert_non_null(x);
	for (size_t i = 0; i < n; i++)
		x[i] = json_number_value(json_array_get(ns, i));
	qsort(x, n, sizeof *x, rank_ascending);
	middle = n > 0 ? rank_middle(x, n) : 0;
	free(x);
	return middle;
}

/* A step a page on average, so that each asks for a translation. */
#define STROLL_SPEC(context, timing) \
	"{'routine': 'int chase(int n, const unsigned *p)', 'args': {'n': 500," \
	"'p': {'dims': [524288], 'init': {'permutation': {}}}}, 'context': '" context "' " timing "}"

static void
test_contexts_P40_warm_partial_cached_page_tables_and_memory_are_in_that_order(void **state)
{
	static const struct {
		const char	*name, *job;
	} states[] = {
		{ "warm", JOB(CHASE, STROLL_SPEC("warm", "")) },
		{ "256 KiB flushed", JOB(CHASE, STROLL_SPEC("cold",
		    ", 'timing': {'flush': {'method': 'OneCallFlushLRU', 'bytes': 262144}}")) },
		{ "page tables cached", JOB(CHASE, STROLL_SPEC("cold",
		    ", 'timing': {'flush': {'page_tables': 'cached'}}")) },
		{ "page tables in memory", JOB(CHASE, STROLL_SPEC("cold", "")) },
	};
	double	ns, before = 0;

	(void)state;
	for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
		timing_succeed(&t, states[i].job);
		ns = middle_ns();
		print_message("500 steps, %s: %.0f ns\n", states[i].name, ns);
		assert_true(ns > before);
		before = ns;
	}
}

/* It looks at the clock until so many nanoseconds are over. */
#define SPIN(ns)	JOB("#include <time.h>\\n static long now(void) { struct timespec t;" \
	" clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }" \
	"void spin(void) { long from = now(); while (now() - from < " #ns "); }", \
	"{'routine': 'void spin(void)', 'args': {}, 'context': 'warm'}")

static void
test_contexts_P25_P26_a_known_duration_is_found_to_the_percent(void **state)
{
	const double	short_ns = min_ns_of(SPIN(20000)), long_ns = min_ns_of(SPIN(2000000));

	(void)state;
	print_message("20 us: %.0f ns; 2 ms: %.0f ns\n", short_ns, long_ns);
	assert_true(short_ns > 0.99 * 20000 && short_ns < 1.01 * 20000);
	assert_true(long_ns > 0.999 * 2e6 && long_ns < 1.001 * 2e6);
}

static void
test_contexts_L31_an_empty_routine_takes_next_to_nothing(void **state)
{
	const double	ns = min_ns_of(JOB("void nothing(void) {}",
			    "{'routine': 'void nothing(void)', 'args': {}, 'context': 'warm'}"));

	(void)state;
	print_message("%.2f ns, less the %.2f ns that calling takes\n", ns,
	    timing_number(&t, "technique", "empty_call_ns"));
	assert_true(ns < 2);
	assert_true(json_is_true(timing_member(&t, "technique", "within_noise")));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_contexts_P12_a_cold_operand_takes_several_times_as_long_as_a_warm_one),
		cmocka_unit_test(
		    test_contexts_P40_warm_partial_cached_page_tables_and_memory_are_in_that_order),
		cmocka_unit_test(
		    test_contexts_P38_auto_flushes_a_short_call_by_moving_through_sets),
		cmocka_unit_test(test_contexts_P25_P26_a_known_duration_is_found_to_the_percent),
		cmocka_unit_test(test_contexts_L31_an_empty_routine_takes_next_to_nothing),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}

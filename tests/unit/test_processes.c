/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/judge/processes.h"
#include "tests/support/dice.h"

enum { PROCESSES = 11, EACH = 3, N = PROCESSES * EACH };

/* Samples of processes: each has a level of its own, and noise of its own around it. */
static void
draw(uint64_t *d, double between, double within, double *x, uint64_t *process)
{
	for (unsigned p = 0; p < PROCESSES; p++) {
		double	level = 100 * (1 + between * dice_normal(d));

		for (unsigned i = 0; i < EACH; i++) {
			x[p * EACH + i] = level * (1 + within * dice_normal(d));
			process[p * EACH + i] = p;
		}
	}
}

static void
test_processes_the_interval_holds_the_median_though_processes_differ(void **state)
{
	uint64_t	d = 1;
	unsigned	held = 0, held_by_samples = 0;
	const unsigned	jobs = 2000;
	double		x[N], sorted[N];
	uint64_t	process[N];

	(void)state;
	for (unsigned i = 0; i < jobs; i++) {
		struct stats	s, of_samples;

		draw(&d, 0.02, 0.002, x, process);
		memcpy(sorted, x, sizeof x);
		stats_of(sorted, N, &s);
		of_samples = s;
		assert_int_equal(processes_rank(x, process, N, &s), ST_OK);
		held += s.has_ci95 && s.ci95[0] <= 100 && 100 <= s.ci95[1];
		held_by_samples += of_samples.ci95[0] <= 100 && 100 <= of_samples.ci95[1];
	}
	assert_true(held >= jobs * 95 / 100);
	assert_true(held_by_samples < jobs * 85 / 100);	/* they are no independent draws */
}

static void
test_processes_median_is_that_of_their_medians_and_six_have_an_interval(void **state)
{
	static const double	samples[] = { 9, 1, 2, 50, 51, 52, 3, 4, 5, 6, 7, 8 };
	static const uint64_t	process[] = { 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5 };
	double			x[12];
	struct stats		s = { .median = 0 };

	(void)state;
	memcpy(x, samples, sizeof x);
	assert_int_equal(processes_rank(x, process, 12, &s), ST_OK);
	assert_float_equal(s.median, (5.5 + 7) / 2, 0);	/* of 2, 51, 3.5, 5.5, 7, 8 */
	assert_true(s.has_ci95);
	assert_float_equal(s.ci95[0], 2, 0);
	assert_float_equal(s.ci95[1], 51, 0);
	memcpy(x, samples, sizeof x);
	assert_int_equal(processes_rank(x, process, 11, &s), ST_OK);
	assert_false(s.has_ci95);
}

static void
test_processes_of_one_all_stays(void **state)
{
	static const uint64_t	process[N];
	double			x[N] = { 3, 1, 2 };
	struct stats		s = { .median = 77, .has_ci95 = true };

	(void)state;
	assert_int_equal(processes_rank(x, process, N, &s), ST_OK);
	assert_float_equal(s.median, 77, 0);
	assert_true(s.has_ci95);
}

static void
test_processes_both_spreads_are_told_apart(void **state)
{
	uint64_t		d = 7;
	struct result_processes	p;
	double			x[N];
	uint64_t		process[N];

	(void)state;
	draw(&d, 0.02, 0.001, x, process);
	assert_int_equal(processes_judge(x, process, N, &p), ST_OK);
	assert_int_equal(p.count, PROCESSES);
	assert_int_equal(p.medians_ns.n, PROCESSES);
	assert_true(p.within < 0.004);
	assert_true(p.between > 0.008 && p.between < 0.04);
	assert_int_equal(p.states.n, 0);
	processes_release(&p);
}

static void
test_processes_a_kernel_of_two_states_has_both_and_noise_has_none(void **state)
{
	static const double		two[] = { 33, 57, 33.4, 57.3, 33.1, 33.2, 57.2 };
	static const double		one[] = { 33, 57, 40, 45, 36, 50, 53 };
	static const double		odd[] = { 33, 33.1, 33.2, 33.1, 33, 33.3, 57 };
	static const uint64_t		process[] = { 0, 1, 2, 3, 4, 5, 6 };
	const struct process_state	*s;
	struct result_processes		p;

	(void)state;
	assert_int_equal(processes_judge(two, process, 7, &p), ST_OK);
	assert_int_equal(p.states.n, 2);
	s = p.states.at;
	assert_float_equal(s[0].median_ns, 33.15, 1e-9);
	assert_int_equal(s[0].processes, 4);
	assert_float_equal(s[1].median_ns, 57.2, 0);
	assert_int_equal(s[1].processes, 3);
	assert_true(isnan(p.within));			/* a sample each */
	processes_release(&p);
	assert_int_equal(processes_judge(one, process, 7, &p), ST_OK);
	assert_int_equal(p.states.n, 0);
	processes_release(&p);
	assert_int_equal(processes_judge(odd, process, 7, &p), ST_OK);
	assert_int_equal(p.states.n, 0);		/* one process alone may be an accident */
	processes_release(&p);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_processes_the_interval_holds_the_median_though_processes_differ),
		cmocka_unit_test(
		    test_processes_median_is_that_of_their_medians_and_six_have_an_interval),
		cmocka_unit_test(test_processes_of_one_all_stays),
		cmocka_unit_test(test_processes_both_spreads_are_told_apart),
		cmocka_unit_test(
		    test_processes_a_kernel_of_two_states_has_both_and_noise_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

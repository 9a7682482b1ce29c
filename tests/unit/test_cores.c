/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/judge/cores.h"

enum { SAMPLES = 4, CORES = 3 };

static double			all[SAMPLES] = { 10, 11, 12, 13 };
static double			ns[CORES][SAMPLES] = { { 10, 11, 12, 13 }, { 40, 40, 42, 42 },
				    { 20, 21, 22, 23 } };
static struct core_report	core[CORES];
static struct report		report;
static struct result_time	judged;

static int
set_up(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CORES; i++)
		core[i] = (struct core_report){ 4 + i, 1.5, { ns[i], SAMPLES } };
	report = (struct report){ .samples.ns = { all, SAMPLES }, .cores = { core, CORES } };
	judged = (struct result_time){ .cores_median_ns = -1 };
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	cores_release(&judged);
	return 0;
}

static void
test_cores_each_has_the_statistics_of_its_own_times(void **state)
{
	const struct result_core	*row;

	(void)state;
	assert_int_equal(cores_judge(&report, &judged), ST_OK);
	assert_int_equal(judged.cores.n, CORES);
	row = judged.cores.at;
	for (unsigned i = 0; i < CORES; i++) {
		assert_int_equal(row[i].cpu, 4 + i);
		assert_float_equal(row[i].times.min_ns, ns[i][0], 0);
		assert_float_equal(row[i].times.median_ns, (ns[i][1] + ns[i][2]) / 2, 1e-12);
		assert_float_equal(row[i].max_ns, ns[i][3], 0);
		assert_ptr_equal(row[i].samples_ns.x, ns[i]);
	}
}

static void
test_cores_the_time_of_all_is_the_median_of_their_medians(void **state)
{
	(void)state;
	assert_int_equal(cores_judge(&report, &judged), ST_OK);
	assert_float_equal(judged.cores_median_ns, 21.5, 1e-12);
}

static void
test_cores_without_a_time_for_each_sample_there_are_no_rows(void **state)
{
	(void)state;
	core[1].ns.n = SAMPLES - 1;
	assert_int_equal(cores_judge(&report, &judged), ST_OK);
	assert_int_equal(judged.cores.n, 0);
	core[1].ns.n = SAMPLES;
	report.cores.n = 0;
	assert_int_equal(cores_judge(&report, &judged), ST_OK);
	assert_int_equal(judged.cores.n, 0);
	assert_float_equal(judged.cores_median_ns, -1, 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_cores_each_has_the_statistics_of_its_own_times, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cores_the_time_of_all_is_the_median_of_their_medians, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cores_without_a_time_for_each_sample_there_are_no_rows, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

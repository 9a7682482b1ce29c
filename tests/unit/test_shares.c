/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/plan/method.h"
#include "worker/plan/shares.h"

#define MS	((uint64_t)1000000)

static struct plan
settled(struct plan p, uint64_t load_ns, uint64_t sample_ns)
{
	p.method = &plan_warm;
	shares_settle(&p, load_ns, sample_ns);
	return p;
}

static void
test_shares_short_calls_have_eleven_processes_of_three_samples(void **state)
{
	struct plan	p = settled((struct plan){ .samples = 7 }, 2 * MS, MS / 10);

	(void)state;
	assert_int_equal(p.processes, SHARES_PROCESSES);
	assert_int_equal(p.samples, SHARES_PROCESSES * SHARES_WARM_EACH);
	assert_true(p.max_samples >= p.samples);
	p = settled((struct plan){ .samples = 31, .flushes = true }, 2 * MS, MS / 10);
	assert_int_equal(p.samples, SHARES_PROCESSES * SHARES_COLD_EACH);
}

static void
test_shares_without_time_there_are_fewer_samples_first_and_then_fewer_processes(void **state)
{
	struct plan	p = settled((struct plan){ .samples = 7 }, MS, 2 * MS);

	(void)state;
	assert_int_equal(p.processes, SHARES_PROCESSES);
	assert_int_equal(p.samples, SHARES_PROCESSES);
	p = settled((struct plan){ .samples = 7 }, 4 * MS, 2 * MS);
	assert_in_range(p.processes, SHARES_LEAST, SHARES_PROCESSES - 1);
	assert_int_equal(p.samples, p.processes);
	p = settled((struct plan){ .samples = 7 }, 40 * MS, 20 * MS);
	assert_int_equal(p.processes, SHARES_LEAST);	/* or there would be no interval */
	assert_int_equal(p.samples, SHARES_LEAST);
}

static void
test_shares_long_calls_stay_in_one_process_unless_asked_for(void **state)
{
	struct plan	p = settled((struct plan){ .samples = 7, .processes = 1 }, MS, 60 * MS);

	(void)state;
	assert_int_equal(p.processes, 1);
	assert_int_equal(p.samples, 7);
	p = settled((struct plan){ .samples = 7, .processes = 3, .processes_given = true }, MS,
	    60 * MS);
	assert_int_equal(p.processes, 3);
	assert_int_equal(p.samples, 3);
}

static void
test_shares_long_calls_have_seven_samples_or_as_many_as_fit(void **state)
{
	struct plan	p = settled((struct plan){ .samples = 31, .flushes = true }, MS, 60 * MS);

	(void)state;
	assert_int_equal(p.processes, 1);
	assert_int_equal(p.samples, SHARES_LONG_EACH);
	p = settled((struct plan){ .samples = 3 }, MS, 60 * MS);
	assert_int_equal(p.samples, 3);
	p = settled((struct plan){ .samples = 31, .samples_given = true }, MS, 60 * MS);
	assert_int_equal(p.samples, 31);
}

static void
test_shares_samples_may_take_half_as_long_as_the_load_of_their_process(void **state)
{
	const struct plan	p = settled((struct plan){ .samples = 31, .flushes = true }, 20 * MS,
				    2 * MS);

	(void)state;
	assert_int_equal(p.processes, SHARES_LEAST);
	assert_int_equal(p.samples, 5 * SHARES_LEAST);
}

static void
test_shares_six_processes_may_be_enough_unless_something_else_was_asked_for(void **state)
{
	struct plan	p = settled((struct plan){ .samples = 7 }, 2 * MS, MS / 10);

	(void)state;
	assert_int_equal(p.least_samples, SHARES_LEAST * SHARES_WARM_EACH);
	p = settled((struct plan){ .samples = 7, .interval = 0.01 }, 2 * MS, MS / 10);
	assert_int_equal(p.least_samples, 0);
	p = settled((struct plan){ .samples = 7, .processes = 8, .processes_given = true }, 2 * MS,
	    MS / 10);
	assert_int_equal(p.least_samples, 0);
	p = settled((struct plan){ .samples = 33, .samples_given = true }, 2 * MS, MS / 10);
	assert_int_equal(p.least_samples, 0);
	p = settled((struct plan){ .samples = 7 }, 40 * MS, 20 * MS);	/* there are no more */
	assert_int_equal(p.least_samples, 0);
}

static void
test_shares_a_wish_for_samples_or_processes_is_kept_to(void **state)
{
	struct plan	p = settled((struct plan){ .samples = 4, .samples_given = true }, MS, MS);

	(void)state;
	assert_int_equal(p.samples, 4);
	assert_int_equal(p.processes, 4);
	p = settled((struct plan){ .samples = 1000, .samples_given = true }, MS, MS);
	assert_int_equal(p.samples, 1000);
	assert_int_equal(p.processes, SHARES_LEAST);
	p = settled((struct plan){ .samples = 7, .processes = 20, .processes_given = true }, MS,
	    MS / 100);
	assert_int_equal(p.processes, 20);
	assert_int_equal(p.samples % 20, 0);
	p = settled((struct plan){ .samples = 7, .processes = 1, .processes_given = true }, MS, MS);
	assert_int_equal(p.samples, 7);
}

static void
test_shares_costs_that_are_not_known_divide_by_nothing(void **state)
{
	const struct plan	p = settled((struct plan){ .samples = 7 }, 0, 0);

	(void)state;
	assert_int_equal(p.processes, SHARES_PROCESSES);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_shares_short_calls_have_eleven_processes_of_three_samples),
		cmocka_unit_test(
		    test_shares_without_time_there_are_fewer_samples_first_and_then_fewer_processes),
		cmocka_unit_test(test_shares_long_calls_stay_in_one_process_unless_asked_for),
		cmocka_unit_test(test_shares_long_calls_have_seven_samples_or_as_many_as_fit),
		cmocka_unit_test(
		    test_shares_samples_may_take_half_as_long_as_the_load_of_their_process),
		cmocka_unit_test(
		    test_shares_six_processes_may_be_enough_unless_something_else_was_asked_for),
		cmocka_unit_test(test_shares_a_wish_for_samples_or_processes_is_kept_to),
		cmocka_unit_test(test_shares_costs_that_are_not_known_divide_by_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

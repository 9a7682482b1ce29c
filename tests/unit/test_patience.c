/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/quiet/patience.h"

enum { MS = 1000000 };

static void
test_patience_is_full_until_jobs_wait_in_vain_and_again_when_quiet_returns(void **state)
{
	struct patience	p = { .halvings = 0 };
	uint64_t	now = 77 * (uint64_t)MS, patience = 0;

	(void)state;
	assert_int_equal(patience_now(&p, now), PATIENCE_PURSE_NS);
	for (unsigned job = 0; job < 10; job++) {
		patience_end(&p, false, patience = patience_now(&p, now));
		now += 3600000 * (uint64_t)MS;
	}
	assert_in_range(patience, 1 * MS, 4 * MS);
	assert_int_equal(p.barren, 10);
	for (unsigned job = 0; job < 10; job++)
		patience_end(&p, true, 0);
	assert_int_equal(patience_now(&p, now), PATIENCE_PURSE_NS);
	assert_int_equal(p.barren, 0);
}

static void
test_patience_waiting_takes_an_eighth_of_the_time_even_where_it_helps(void **state)
{
	struct patience	p = { .halvings = 0 };
	uint64_t	now = 77 * (uint64_t)MS, began = now, spent = 0;

	(void)state;
	for (unsigned job = 0; job < 2000; job++) {
		uint64_t	patience = patience_now(&p, now);

		patience_end(&p, true, patience);
		spent += patience;
		now += 2 * MS + patience;
	}
	assert_true(spent > (now - began) / 9);
	assert_true(spent <= PATIENCE_PURSE_NS + (now - began) / PATIENCE_SHARE);
}

static void
test_patience_what_was_asked_for_and_waited_costs_the_purse_nothing(void **state)
{
	struct patience	p = { .halvings = 0 };

	(void)state;
	(void)patience_now(&p, 77 * MS);
	patience_end(&p, true, 0);
	assert_int_equal(patience_now(&p, 77 * MS), PATIENCE_PURSE_NS);
	patience_end(&p, true, UINT64_MAX);
	assert_int_equal(patience_now(&p, 77 * MS), 0);
}

static void
test_patience_a_job_that_did_not_wait_did_not_wait_in_vain(void **state)
{
	struct patience	p = { .halvings = 0 };

	(void)state;
	patience_end(&p, false, 0);
	assert_int_equal(p.halvings, 0);
	assert_int_equal(p.barren, 1);
	patience_end(&p, false, 1);
	assert_int_equal(p.halvings, 1);
}

static void
test_patience_many_processes_of_one_job_are_doubted_once(void **state)
{
	struct patience	p = { .halvings = 2 };

	(void)state;
	for (unsigned process = 0; process < 3; process++) {
		patience_end(&p, false, 1);
		patience_one_job(&p, 2);
	}
	assert_int_equal(p.halvings, 3);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_patience_is_full_until_jobs_wait_in_vain_and_again_when_quiet_returns),
		cmocka_unit_test(
		    test_patience_waiting_takes_an_eighth_of_the_time_even_where_it_helps),
		cmocka_unit_test(
		    test_patience_what_was_asked_for_and_waited_costs_the_purse_nothing),
		cmocka_unit_test(test_patience_a_job_that_did_not_wait_did_not_wait_in_vain),
		cmocka_unit_test(test_patience_many_processes_of_one_job_are_doubted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

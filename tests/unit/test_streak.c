/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/dispatch/station/streak.h"

#define FULL(n)	"/var/lib/assay/cache/new." #n ".0123: No space left on device"

static void
test_D10_streak_same_fault_of_three_jobs_pauses(void **state)
{
	struct streak	s = { .njobs = 0 };

	(void)state;
	assert_false(streak_fault(&s, 1, FULL(71), false, 100));
	assert_false(streak_fault(&s, 1, FULL(72), false, 101));	/* the same job again */
	assert_false(streak_fault(&s, 2, FULL(73), false, 102));
	assert_true(streak_may_take(&s, 102));
	assert_true(streak_fault(&s, 3, FULL(74), false, 103));
	assert_true(s.pause_s != 0 && streak_may_take(&s, 103));	/* a try, at once */
	assert_int_equal(s.njobs, 3);
	assert_false(streak_fault(&s, 4, FULL(75), false, 104));
	assert_false(streak_may_take(&s, 104));
	assert_true(streak_may_take(&s, 104 + 2 * STREAK_FIRST_S));
}

static void
test_D10_streak_of_different_faults_pauses_nothing(void **state)
{
	struct streak	s = { .njobs = 0 };

	(void)state;
	for (int64_t job = 1; job < 20; job++)
		assert_false(streak_fault(&s, job, job % 2 != 0 ? FULL(1) : "its worker died",
		    false, 100));
	for (int64_t job = 20; job < 40; job++) {
		assert_false(streak_fault(&s, job, FULL(1), false, 100));
		assert_false(streak_ends(&s));			/* a job that goes well */
	}
}

static void
test_D10_streak_tries_at_growing_intervals_until_a_job_ends_otherwise(void **state)
{
	struct streak	s = { .njobs = 0 };
	double		now = 100, last = 0;

	(void)state;
	for (int64_t job = 1; job <= STREAK_JOBS; job++)
		(void)streak_fault(&s, job, "its worker died", false, now);
	for (unsigned i = 0; i < 10; i++) {
		assert_true(streak_left_s(&s, now) >= last);
		last = streak_left_s(&s, now);
		now += last;
		assert_true(streak_may_take(&s, now));
		assert_false(streak_fault(&s, 50 + i, "its worker died", false, now));
	}
	assert_true(last == STREAK_LONGEST_S);
	assert_true(streak_ends(&s));
	assert_true(streak_may_take(&s, now));
	assert_false(streak_ends(&s));
}

static void
test_D10_streak_pauses_at_once_where_the_host_is_seen_to_be_bad(void **state)
{
	struct streak	s = { .njobs = 0 };

	(void)state;
	assert_true(streak_fault(&s, 1, FULL(1), true, 100));
	assert_true(s.is_proven);
	streak_later(&s, 102);
	assert_true(streak_left_s(&s, 102) == 2 * STREAK_FIRST_S);
	/* another fault is a new one */
	assert_false(streak_fault(&s, 1, "its worker died", false, 110));
	assert_true(streak_may_take(&s, 110));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_D10_streak_same_fault_of_three_jobs_pauses),
		cmocka_unit_test(test_D10_streak_of_different_faults_pauses_nothing),
		cmocka_unit_test(test_D10_streak_tries_at_growing_intervals_until_a_job_ends_otherwise),
		cmocka_unit_test(test_D10_streak_pauses_at_once_where_the_host_is_seen_to_be_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

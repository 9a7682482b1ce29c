/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/dispatch/domains.h"
#include "proto/base/cpulist.h"

static cpu_set_t	left, right, both;	/* last caches: of CPUs 0-3, of 4-7 */

static const struct domains_job	cold = { true, 1 }, warm = { false, 1 }, wide_cold = { true, 2 },
				wide_warm = { false, 2 };

static int
set_up(void **state)
{
	(void)state;
	assert_true(cpulist_parse("0-3", &left) && cpulist_parse("4-7", &right) &&
	    cpulist_parse("0-7", &both));
	return 0;
}

static struct domains_slot
idle(const cpu_set_t *shares, unsigned width)
{
	return (struct domains_slot){ .shares = shares, .width = width, .is_idle = true };
}

static struct domains_slot
timing(const cpu_set_t *shares, bool is_cold)
{
	return (struct domains_slot){ .shares = shares, .width = 1, .is_timing = true,
	    .is_cold = is_cold };
}

static void
test_domains_warm_jobs_are_timed_side_by_side(void **state)
{
	const struct domains_slot	s[] = { idle(&left, 1), timing(&left, false) };

	(void)state;
	assert_int_equal(domains_judge(s, 2, 0, &warm), DOMAINS_TAKE);
	assert_int_equal(domains_beside(s, 2, 0), 1);
}

static void
test_domains_cold_job_waits_for_all_that_runs_on_its_cache_and_all_wait_for_it(void **state)
{
	const struct domains_slot	beside_warm[] = { idle(&left, 1), timing(&left, false) };
	const struct domains_slot	beside_cold[] = { idle(&left, 1), timing(&left, true) };

	(void)state;
	assert_int_equal(domains_judge(beside_warm, 2, 0, &cold), DOMAINS_STOP);
	assert_int_equal(domains_judge(beside_cold, 2, 0, &cold), DOMAINS_STOP);
	assert_int_equal(domains_judge(beside_cold, 2, 0, &warm), DOMAINS_STOP);
}

static void
test_domains_slots_with_other_caches_are_no_concern(void **state)
{
	const struct domains_slot	s[] = { idle(&left, 1), timing(&right, true) };

	(void)state;
	assert_int_equal(domains_judge(s, 2, 0, &cold), DOMAINS_TAKE);
	assert_int_equal(domains_judge(s, 2, 0, &warm), DOMAINS_TAKE);
	assert_int_equal(domains_beside(s, 2, 0), 0);
}

static void
test_domains_slot_that_spans_both_caches_shares_with_each(void **state)
{
	const struct domains_slot	s[] = { idle(&left, 1), timing(&both, true), idle(&right, 1) };

	(void)state;
	assert_int_equal(domains_judge(s, 3, 0, &warm), DOMAINS_STOP);
	assert_int_equal(domains_judge(s, 3, 2, &cold), DOMAINS_STOP);
}

static void
test_domains_job_that_is_too_wide_for_a_slot_leaves_it_to_later_ones(void **state)
{
	const struct domains_slot	s[] = { idle(&left, 1), idle(&right, 2) };

	(void)state;
	assert_int_equal(domains_judge(s, 2, 0, &wide_warm), DOMAINS_SKIP);
	assert_int_equal(domains_judge(s, 2, 0, &wide_cold), DOMAINS_SKIP);
	assert_int_equal(domains_judge(s, 2, 1, &wide_cold), DOMAINS_TAKE);
}

/* Narrow warm jobs would keep its cache busy for ever. */
static void
test_domains_wide_cold_job_is_not_starved_by_narrow_ones(void **state)
{
	const struct domains_slot	s[] = { idle(&left, 1), idle(&left, 2), timing(&left, false) };

	(void)state;
	assert_int_equal(domains_judge(s, 3, 1, &wide_cold), DOMAINS_STOP);
	assert_int_equal(domains_judge(s, 3, 0, &wide_cold), DOMAINS_STOP);
	assert_int_equal(domains_judge(s, 3, 0, &wide_warm), DOMAINS_SKIP);
}

/*
 * Jobs of 1 to 4 steps on four slots of two caches: none is timed beside a cold one, all end, and a
 * cold job begins before any that came after it.
 */
static void
test_domains_any_queue_comes_to_its_end_without_a_cold_job_beside_another(void **state)
{
	enum { SLOTS = 4, JOBS = 40 };
	uint64_t	x = 1;

	(void)state;
	for (unsigned round = 0; round < 500; round++) {
		struct domains_slot	s[SLOTS] = { idle(&left, 1), idle(&left, 2),
					    idle(&right, 1), idle(&right, 1) };
		struct domains_job	job[JOBS];
		unsigned		steps[SLOTS] = { 0 }, begun = 0, turns = 0;
		bool			has_begun[JOBS] = { false };

		for (unsigned i = 0; i < JOBS; i++) {
			x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			job[i] = (struct domains_job){ (x >> 40) % 3 == 0, (x >> 50) % 5 == 0 ? 2 : 1 };
		}
		for (; begun < JOBS; turns++) {
			assert_true(turns < 10 * JOBS);
			for (unsigned at = 0; at < SLOTS; at++) {
				if (steps[at] != 0 && --steps[at] == 0) {
					s[at].is_timing = s[at].is_cold = false;
					s[at].is_idle = true;
				}
			}
			for (unsigned at = 0; at < SLOTS; at++) {
				for (unsigned i = 0; s[at].is_idle && i < JOBS; i++) {
					enum domains_verdict	v;

					if (has_begun[i])
						continue;
					v = domains_judge(s, SLOTS, at, &job[i]);
					if (v == DOMAINS_STOP)
						break;
					if (v == DOMAINS_SKIP)
						continue;
					assert_true(!job[i].is_cold || domains_beside(s, SLOTS, at) == 0);
					has_begun[i] = true;
					begun++;
					s[at].is_idle = false;
					s[at].is_timing = true;
					s[at].is_cold = job[i].is_cold;
					steps[at] = 1 + (unsigned)(x >> 33) % 4;
				}
			}
		}
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_domains_warm_jobs_are_timed_side_by_side),
		cmocka_unit_test(test_domains_cold_job_waits_for_all_that_runs_on_its_cache_and_all_wait_for_it),
		cmocka_unit_test(test_domains_slots_with_other_caches_are_no_concern),
		cmocka_unit_test(test_domains_slot_that_spans_both_caches_shares_with_each),
		cmocka_unit_test(test_domains_job_that_is_too_wide_for_a_slot_leaves_it_to_later_ones),
		cmocka_unit_test(test_domains_wide_cold_job_is_not_starved_by_narrow_ones),
		cmocka_unit_test(test_domains_any_queue_comes_to_its_end_without_a_cold_job_beside_another),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}

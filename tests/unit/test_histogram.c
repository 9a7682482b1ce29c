/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/usage/vitals.h"

static const struct histogram_bounds	bounds = { 2, { 0.5, 1 } };

static void
text_is(const struct histogram *h, const char *expected)
{
	struct evbuffer	*out = evbuffer_new();

	assert_non_null(out);
	histogram_put(h, &bounds, "x", out);
	(void)evbuffer_add(out, "", 1);
	assert_string_equal((const char *)evbuffer_pullup(out, -1), expected);
	evbuffer_free(out);
}

static void
test_histogram_a_value_on_a_bound_is_in_its_bucket_and_buckets_add_up(void **state)
{
	struct histogram	h = { .sum = 0 };

	(void)state;
	histogram_add(&h, &bounds, 0.5);
	histogram_add(&h, &bounds, 0.75);
	histogram_add(&h, &bounds, 1);
	histogram_add(&h, &bounds, 7);
	text_is(&h, "x_bucket{le=\"0.5\"} 1\nx_bucket{le=\"1\"} 3\nx_bucket{le=\"+Inf\"} 4\n"
	    "x_sum 9.25\nx_count 4\n");
}

static void
test_histogram_what_is_less_than_nothing_counts_as_nothing(void **state)
{
	struct histogram	h = { .sum = 0 };

	(void)state;
	histogram_add(&h, &bounds, -3);
	histogram_add(&h, &bounds, NAN);
	text_is(&h, "x_bucket{le=\"0.5\"} 2\nx_bucket{le=\"1\"} 2\nx_bucket{le=\"+Inf\"} 2\n"
	    "x_sum 0\nx_count 2\n");
}

static uint64_t
count_of(const struct histogram *h)
{
	uint64_t	n = 0;

	for (unsigned i = 0; i <= HISTOGRAM_MAX_BOUNDS; i++)
		n += h->counts[i];
	return n;
}

static void
test_histogram_lag_is_the_lateness_of_a_tick_after_the_one_before(void **state)
{
	struct vitals	v = { .commits_failed = 0 };

	(void)state;
	vitals_note_tick(&v, 100, 1);
	assert_int_equal(count_of(&v.lag), 0);
	vitals_note_tick(&v, 101, 1);
	vitals_note_tick(&v, 104.5, 1);
	assert_int_equal(count_of(&v.lag), 2);
	assert_true(fabs(v.lag.sum - 2.5) < 1e-9);
}

static void
test_histogram_seconds_go_to_their_user_and_beyond_a_thousand_users_to_the_others(void **state)
{
	struct vitals	v = { .commits_failed = 0 };
	struct news	n = { .stages = { .waiting_s = 1, .build_s = 2, .timing_s = 3 },
			    .timed_s = 3 };

	(void)state;
	for (unsigned uid = 0; uid < VITALS_MAX_USERS + 5; uid++) {
		n.submitter = uid;
		vitals_note_result(&v, &n);
	}
	n.stages = (struct spent){ .waiting_s = -1, .build_s = -1, .timing_s = -1 };
	n.timed_s = 0;
	vitals_note_result(&v, &n);
	assert_int_equal(HASH_COUNT(v.users), VITALS_MAX_USERS);
	assert_true(fabs(v.others_timed_s - 15) < 1e-9);
	assert_int_equal(count_of(&v.timing), VITALS_MAX_USERS + 5);
	assert_int_equal(count_of(&v.build), VITALS_MAX_USERS + 5);
	vitals_release(&v);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_histogram_a_value_on_a_bound_is_in_its_bucket_and_buckets_add_up),
		cmocka_unit_test(test_histogram_what_is_less_than_nothing_counts_as_nothing),
		cmocka_unit_test(test_histogram_lag_is_the_lateness_of_a_tick_after_the_one_before),
		cmocka_unit_test(
		    test_histogram_seconds_go_to_their_user_and_beyond_a_thousand_users_to_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

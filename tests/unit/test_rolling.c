/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/quiet/rolling.h"

enum { ROOM = 200, SHARE = 10 };
#define FACTOR	1.05

static void
see(struct rolling *r, unsigned n, uint32_t reading)
{
	while (n-- > 0)
		rolling_see(r, ROOM, reading);
}

static struct rolling_kept
known(const struct rolling *r)
{
	return rolling_known(r, ROOM, SHARE, FACTOR);
}

static struct rolling
after(struct rolling_kept kept)
{
	struct rolling	r = { 0 };

	rolling_keep(&r, kept);
	return r;
}

static void
test_rolling_what_is_known_of_it_stands_for_as_long_as_it_remembers(void **state)
{
	static const unsigned	lows[] = { 1, 3, 19, 20, 21, 100, ROOM, 3 * ROOM };

	(void)state;
	for (unsigned i = 0; i < sizeof lows / sizeof lows[0]; i++) {
		struct rolling	r = { 0 };
		unsigned	left;

		see(&r, lows[i] / 2, 1000);
		see(&r, lows[i] - lows[i] / 2, 1040);
		left = known(&r).left;
		assert_true(left > 0 && left <= ROOM);
		see(&r, left - 1, 3000);
		assert_true(rolling_base(&r, SHARE) <= 1050);
		see(&r, 1, 3000);
		assert_int_equal(rolling_base(&r, SHARE), 3000);
	}
}

static void
test_rolling_a_base_from_before_stands_beside_its_own_until_its_time_is_over(void **state)
{
	struct rolling	r = after((struct rolling_kept){ 1000, 50 });

	(void)state;
	assert_int_equal(rolling_base(&r, SHARE), 1000);
	see(&r, 49, 3000);
	assert_int_equal(rolling_base(&r, SHARE), 1000);
	see(&r, 1, 3000);
	assert_int_equal(rolling_base(&r, SHARE), 3000);
	r = after((struct rolling_kept){ 1000, 50 });
	see(&r, 1, 700);			/* one that is higher than the truth is no obstacle */
	assert_int_equal(rolling_base(&r, SHARE), 700);
	r = after((struct rolling_kept){ 0, 50 });
	assert_int_equal(rolling_base(&r, SHARE), 0);
}

/* Each has but a few readings. */
static void
test_rolling_what_is_never_met_again_is_forgotten_however_many_there_were_meanwhile(void **state)
{
	struct rolling_kept	kept = { 1000, ROOM };
	unsigned		lives = 0;

	(void)state;
	for (; kept.base == 1000 && lives < ROOM; lives++) {
		struct rolling	r = after(kept);

		see(&r, 4, 3000);
		kept = known(&r);
	}
	assert_int_equal(kept.base, 3000);
	assert_in_range(lives, ROOM / 4 - ROOM / SHARE, ROOM / 4);
}

static void
test_rolling_what_is_met_in_a_tenth_of_the_readings_is_not_forgotten(void **state)
{
	struct rolling_kept	kept = { 1000, ROOM };

	(void)state;
	for (unsigned life = 0; life < ROOM; life++) {
		struct rolling	r = after(kept);

		see(&r, 1, 1010);
		see(&r, 4, 3000);
		kept = known(&r);
		assert_in_range(kept.base, 1000, 1010);
		assert_in_range(kept.left, ROOM / 2, ROOM);
	}
}

static void
test_rolling_a_lie_in_a_short_life_does_not_take_the_place_of_what_stands_for_longer(void **state)
{
	struct rolling	r = after((struct rolling_kept){ 1000, ROOM });

	(void)state;
	see(&r, 2, 300);
	assert_int_equal(rolling_base(&r, SHARE), 300);
	assert_int_equal(known(&r).base, 1000);
	see(&r, 2 * ROOM, 300);				/* it was none */
	assert_int_equal(known(&r).base, 300);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rolling_what_is_known_of_it_stands_for_as_long_as_it_remembers),
		cmocka_unit_test(test_rolling_a_base_from_before_stands_beside_its_own_until_its_time_is_over),
		cmocka_unit_test(test_rolling_what_is_never_met_again_is_forgotten_however_many_there_were_meanwhile),
		cmocka_unit_test(test_rolling_what_is_met_in_a_tenth_of_the_readings_is_not_forgotten),
		cmocka_unit_test(test_rolling_a_lie_in_a_short_life_does_not_take_the_place_of_what_stands_for_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

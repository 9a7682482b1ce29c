/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "daemon/queue/window.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

static void
use_zone(const char *zone)
{
	assert_int_equal(setenv("TZ", zone, 1), 0);
	tzset();
}

/* Looked at again when it says so, it is never found wrong in between. */
static void
follow(struct window w, int64_t from, int64_t to)
{
	bool	is_open = window_is_open(w, from);
	int64_t	again = window_look_again(w, from);

	for (int64_t now = from; now < to; now += MINUTE) {
		if (now >= again) {
			is_open = window_is_open(w, now);
			again = window_look_again(w, now);
			assert_true(again > now);
		}
		assert_int_equal(is_open, window_is_open(w, now));
	}
}

static void
test_window_none_is_always_open(void **state)
{
	const struct window	w = { -1, -1 };

	(void)state;
	assert_true(window_is_open(w, 12345));
	assert_int_equal(window_look_again(w, 12345), INT64_MAX);
}

static void
test_window_of_the_night_passes_midnight(void **state)
{
	const struct window	w = { 22 * 60, 6 * 60 };

	(void)state;
	use_zone("UTC");
	assert_false(window_is_open(w, 22 * HOUR - 1));
	assert_true(window_is_open(w, 22 * HOUR));
	assert_true(window_is_open(w, DAY));
	assert_false(window_is_open(w, DAY + 6 * HOUR));
	follow(w, 0, 3 * DAY);
}

/* 2026-03-29: at 2:00 it is 3:00.  2026-10-25: at 3:00 it is 2:00. */
static void
test_window_D11_is_right_when_an_hour_is_skipped_or_comes_twice(void **state)
{
	static const struct window	windows[] = {
		{ 2 * 60 + 30, 4 * 60 }, { 2 * 60 + 30, 2 * 60 + 45 }, { 60, 2 * 60 + 30 },
		{ 3 * 60, 3 * 60 + 1 }, { 22 * 60, 2 * 60 + 30 }, { 23 * 60 + 59, 0 },
	};
	const int64_t			spring = INT64_C(1774746000), autumn = INT64_C(1792890000);

	(void)state;
	use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
		follow(windows[i], spring - DAY, spring + DAY);
		follow(windows[i], autumn - DAY, autumn + DAY);
	}
	/* 2:30 to 4:00 begins with 3:00 on the day without 2:30 */
	assert_false(window_is_open(windows[0], spring - 1));
	assert_true(window_is_open(windows[0], spring));
}

static void
test_window_is_right_where_the_clock_moves_by_half_an_hour(void **state)
{
	const struct window	w = { 60 + 45, 2 * 60 + 15 };

	(void)state;
	use_zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0");
	follow(w, INT64_C(1790985600) - DAY, INT64_C(1790985600) + 2 * DAY);
	follow(w, INT64_C(1775314800) - DAY, INT64_C(1775314800) + 2 * DAY);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_window_none_is_always_open),
		cmocka_unit_test(test_window_of_the_night_passes_midnight),
		cmocka_unit_test(test_window_D11_is_right_when_an_hour_is_skipped_or_comes_twice),
		cmocka_unit_test(test_window_is_right_where_the_clock_moves_by_half_an_hour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

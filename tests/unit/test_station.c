/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/dispatch/station/station.h"

/* Its slot's least reading as the station tells it; -1: null. */
static int
base_of(const struct station *l)
{
	json_t		*o = station_canary(l);
	const json_t	*canary = json_object_get(o, "canary");
	int		 base = json_is_null(canary) ? -1 :
			    (int)json_integer_value(json_object_get(canary, "base_ticks"));

	assert_int_equal(json_integer_value(json_object_get(o, "cpu")), 3);
	json_decref(o);
	return base;
}

static void
saw(struct station *l, const char *report)
{
	json_t	*timed = json_loads(report, 0, NULL);

	assert_non_null(timed);
	station_saw(l, timed);
	json_decref(timed);
}

static void
test_station_keeps_what_its_worker_last_told_of_the_canary(void **state)
{
	struct station	l = { .role = STATION_TIME, .cpu = 3 };

	(void)state;
	assert_int_equal(base_of(&l), -1);
	saw(&l, "{\"canary\": {\"base_ticks\": 7900}}");
	assert_int_equal(base_of(&l), 7900);
	saw(&l, "{\"canary\": {\"base_ticks\": 7800}}");
	saw(&l, "{\"samples\": []}");			/* it never came to that */
	saw(&l, "{\"canary\": 5}");
	assert_int_equal(base_of(&l), 7800);
	station_release(&l);
}

static void
test_station_a_new_worker_tells_its_canary_anew_and_what_is_known_of_quiet_stays(void **state)
{
	struct station	 l = { .role = STATION_TIME, .cpu = 3 };
	json_t		*o;

	(void)state;
	saw(&l, "{\"canary\": {\"base_ticks\": 7900}}");
	l.quiet.doc = json_integer(7);
	station_ended(&l, 100);
	assert_int_equal(base_of(&l), -1);
	o = station_canary(&l);
	assert_int_equal(json_integer_value(json_object_get(o, "quiet")), 7);
	json_decref(o);
	station_release(&l);
}

static void
test_station_a_worker_without_a_greeting_is_mute_after_a_minute(void **state)
{
	struct child	*some = (struct child *)(uintptr_t)1;
	struct station	 l = { .cpu = 3, .child = some, .started = 100 };

	(void)state;
	assert_false(station_is_mute(&l, 100 + STATION_GREETING_S - 1));
	assert_true(station_is_mute(&l, 100 + STATION_GREETING_S));
	l.ready = true;
	assert_false(station_is_mute(&l, 1e6));
	l = (struct station){ .cpu = 3 };
	assert_false(station_is_mute(&l, 1e6));
}

/* A hang counts as a quick death, however long it took to find. */
static void
test_station_workers_that_never_greet_start_later_and_later(void **state)
{
	struct station	l = { .cpu = 3, .role = STATION_TIME };
	double		now = 100, last = 0;

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		l.started = now;
		now += STATION_GREETING_S;
		station_ended(&l, now);
		assert_true(l.restart_at - now >= last);
		last = l.restart_at - now;
	}
	assert_true(last >= 30 && last <= 60);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_station_a_worker_without_a_greeting_is_mute_after_a_minute),
		cmocka_unit_test(test_station_workers_that_never_greet_start_later_and_later),
		cmocka_unit_test(test_station_keeps_what_its_worker_last_told_of_the_canary),
		cmocka_unit_test(test_station_a_new_worker_tells_its_canary_anew_and_what_is_known_of_quiet_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

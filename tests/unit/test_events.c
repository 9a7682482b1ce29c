/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "daemon/dispatch/events.h"

/* What is said of a spec with these counters. */
static enum status
check(const char *first, const char *second, bool worker_is_there, struct fault *why)
{
	json_t		*known = worker_is_there ?
			    json_pack("[s, s, s]", "PERF_COUNT_SW_PAGE_FAULTS",
			    "INSTRUCTION_RETIRED", "UNHALTED_CORE_CYCLES") : json_null();
	struct spec	 s = { .timing.ncounters = second != NULL ? 2 : 1 };
	enum status	 st;

	(void)snprintf(s.timing.counters[0], SPEC_COUNTER_BYTES, "%s", first);
	(void)snprintf(s.timing.counters[1], SPEC_COUNTER_BYTES, "%s",
	    second != NULL ? second : "");
	*why = (struct fault){ .status = ST_OK };
	st = events_check(known, &s, why);
	json_decref(known);
	return st;
}

static void
test_events_that_the_host_has_pass_however_they_are_written(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(check("PERF_COUNT_SW_PAGE_FAULTS", "instruction_retired", true, &why),
	    ST_OK);
	assert_int_equal(check("clx::INSTRUCTION_RETIRED:u", "UNHALTED_CORE_CYCLES:k:c=1", true,
	    &why), ST_OK);
}

static void
test_events_an_unknown_one_is_refused_with_its_place_and_the_nearest_name(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(check("INSTRUCTION_RETIRED", "perf_count_sw_page_fault", true, &why),
	    ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.timing.counters[1]");
	assert_non_null(strstr(why.hint, "\"PERF_COUNT_SW_PAGE_FAULTS\""));
	assert_int_equal(check("zzz", NULL, true, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.hint, "lists the 3"));
}

static void
test_events_before_a_worker_has_come_nothing_is_refused(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(check("zzz", NULL, false, &why), ST_OK);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_events_that_the_host_has_pass_however_they_are_written),
		cmocka_unit_test(test_events_an_unknown_one_is_refused_with_its_place_and_the_nearest_name),
		cmocka_unit_test(test_events_before_a_worker_has_come_nothing_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

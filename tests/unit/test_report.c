/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/report/report.h"

static char	*said;

/* What a person reads of a result with that evidence. */
static const char *
report_of(const char *evidence)
{
	size_t	 bytes;
	FILE	*to;
	json_t	*result = json_pack("{s:s, s:o}", "status", "ok", "evidence", json_loads(evidence, 0, NULL));

	free(said);
	assert_non_null(to = open_memstream(&said, &bytes));
	report_print(to, result);
	assert_int_equal(fclose(to), 0);
	json_decref(result);
	return said;
}

static int
forget(void **state)
{
	(void)state;
	free(said);
	said = NULL;
	return 0;
}

static void
test_report_W43_says_that_the_frequency_moved(void **state)
{
	const char	*text = report_of("{\"frequency_mhz\": [2500.0, 1200.4], \"frequency_moved\": true}");

	(void)state;
	assert_non_null(strstr(text, "THE FREQUENCY MOVED (2500 MHz before and 1200 MHz after)"));
	text = report_of("{\"frequency_mhz\": [2500.0, 2501.0], \"frequency_moved\": false}");
	assert_null(strstr(text, "FREQUENCY"));
}

static void
test_report_says_what_a_hypervisor_withheld_and_what_moved(void **state)
{
	const char	*text = report_of("{\"steal_ms\": 30.0, \"migrations\": 1}");

	(void)state;
	assert_non_null(strstr(text, "the hypervisor withheld 30.00 ms"));
	assert_non_null(strstr(text, "1 migration,"));
	text = report_of("{\"steal_ms\": 0.0, \"migrations\": 2, \"frequency_mhz\": \"absent\"}");
	assert_non_null(strstr(text, "2 migrations"));
	assert_null(strstr(text, "hypervisor"));
	assert_null(strstr(report_of("{\"steal_ms\": \"absent\"}"), "hypervisor"));
}

static void
test_report_says_how_slow_the_cores_clock_was_and_whether_it_was_so_before(void **state)
{
	const char	*text = report_of("{\"clock\": {\"at_rest\": 1.0, \"sampling\": 1.15}}");

	(void)state;
	assert_non_null(strstr(text, "the clock at 87 % of its best"));
	assert_null(strstr(text, "before the routine ran"));
	text = report_of("{\"clock\": {\"at_rest\": 1.25, \"sampling\": 1.25}}");
	assert_non_null(strstr(text, "the clock at 80 % of its best, 80 % before the routine ran"));
	assert_null(strstr(report_of("{\"clock\": {\"at_rest\": 1.0, \"sampling\": 1.01}}"), "clock"));
	assert_null(strstr(report_of("{}"), "clock"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_teardown(test_report_W43_says_that_the_frequency_moved, forget),
		cmocka_unit_test_teardown(test_report_says_what_a_hypervisor_withheld_and_what_moved, forget),
		cmocka_unit_test_teardown(test_report_says_how_slow_the_cores_clock_was_and_whether_it_was_so_before,
		    forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

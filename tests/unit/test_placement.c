/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/judge/placement.h"

#define POINT(varied, first, second)	"{\"varied\":\"" varied "\",\"code_offset\":16,\"operand_shift\":[64],"          \
					"\"stack_offset\":32,\"rounds\":[[" first "],[" second "]]}"
#define NS(x)				"{\"ns\":" #x "}"
#define LOUD(x, slowness)		"{\"ns\":" #x ",\"slowness\":" #slowness ",\"loud\":true}"
#define QUIET(x, slowness)		"{\"ns\":" #x ",\"slowness\":" #slowness "}"

static json_t *
result_of(const char *mode, const char *points)
{
	char	 text[4096];
	json_t	*told, *r;

	(void)snprintf(text, sizeof text, "{\"mode\":\"%s\",\"asked\":8,\"seed\":1,\"samples\":1,\"cut_short\":false,"
	    "\"stays\":{},\"points\":[%s]}", mode, points);
	assert_non_null(told = json_loads(text, 0, NULL));
	r = placement_result(told, true);
	json_decref(told);
	assert_non_null(r);
	return r;
}

static double
number(const json_t *o, const char *name)
{
	assert_true(json_is_number(json_object_get(o, name)));
	return json_number_value(json_object_get(o, name));
}

static void
test_placement_each_factor_is_judged_by_its_own_layouts_and_the_default(void **state)
{
	json_t		*r = result_of("sweep", POINT("none", NS(100), NS(100)) "," POINT("code", NS(110), NS(110)) ","
			    POINT("operands", NS(99), NS(99)) "," POINT("stack", NS(100), NS(100)) ","
			    POINT("all", NS(80), NS(80)));
	const json_t	*by = json_object_get(r, "by"), *first;

	(void)state;
	assert_float_equal(number(r, "spread"), 0.30, 1e-12);		/* 80 to 110, of 100 */
	assert_float_equal(number(by, "code"), 0.10, 1e-12);
	assert_float_equal(number(by, "operands"), 0.01, 1e-12);
	assert_float_equal(number(by, "stack"), 0, 0);
	assert_float_equal(number(r, "repeat"), 0, 0);
	assert_float_equal(number(r, "layouts"), 5, 0);
	first = json_array_get(json_object_get(r, "each"), 0);
	assert_float_equal(number(first, "median_ns"), 100, 0);
	assert_float_equal(number(first, "code_offset"), 16, 0);
	assert_float_equal(number(first, "stack_offset"), 32, 0);
	assert_int_equal(json_array_size(json_object_get(first, "operand_shift")), 1);
	json_decref(r);
}

static void
test_placement_a_layout_is_its_samples_median_and_rounds_tell_what_repeating_does(void **state)
{
	json_t	*r = result_of("sweep", POINT("none", NS(98) "," NS(99) "," NS(400), NS(101) ","
		    NS(102) "," NS(103)) "," POINT("code", NS(200), NS(204)));

	(void)state;
	assert_float_equal(number(json_array_get(json_object_get(r, "each"), 0), "median_ns"), 101.5, 1e-12);
	assert_float_equal(number(r, "repeat"), (3 / 101.5 + 4 / 202.0) / 2, 1e-9);
	assert_true(json_is_null(json_object_get(json_object_get(r, "by"), "stack")));
	json_decref(r);
}

static void
test_placement_times_are_normalised_where_it_is_known_of_all_how_slow_the_clock_was(void **state)
{
	json_t	*r = result_of("sweep", POINT("none", QUIET(100, 1), QUIET(105, 1.05)) ","
		    POINT("stack", QUIET(100, 1), QUIET(100, 1)));

	(void)state;
	assert_true(json_is_true(json_object_get(r, "normalised")));
	assert_float_equal(number(r, "spread"), 0, 1e-12);
	json_decref(r);
	r = result_of("sweep", POINT("none", QUIET(100, 1), NS(105)) "," POINT("stack", QUIET(100, 1), QUIET(100, 1)));
	assert_true(json_is_false(json_object_get(r, "normalised")));
	assert_true(number(r, "spread") > 0);
	json_decref(r);
	r = result_of("sweep", POINT("none", QUIET(100, 1), LOUD(105, 1.5)) "," POINT("stack", QUIET(100, 1),
	    QUIET(100, 1)));
	assert_true(json_is_false(json_object_get(r, "normalised")));
	json_decref(r);
}

static void
test_placement_random_layouts_have_a_spread_but_no_factors(void **state)
{
	json_t	*r = result_of("random", "{\"varied\":\"all\",\"rounds\":[[" NS(10) "]]},{\"varied\":\"all\",\"rounds\":[["
		    NS(11) "]]}");

	(void)state;
	assert_float_equal(number(r, "spread"), 1 / 10.5, 1e-12);
	assert_null(json_object_get(r, "by"));
	assert_null(json_object_get(r, "repeat"));
	json_decref(r);
}

static void
test_placement_of_nothing_and_of_nonsense_is_harmless(void **state)
{
	json_t	*r = placement_result(NULL, true);

	(void)state;
	assert_true(json_is_null(r));
	r = result_of("sweep", "3,{\"rounds\":7},{\"rounds\":[[]]},{\"rounds\":[[" NS(0) "],[],[],[" NS(1) "]]}");
	assert_true(json_is_array(json_object_get(r, "each")));
	json_decref(r);
}

static void
test_placement_a_fixed_layout_is_told_as_it_is(void **state)
{
	json_t	*told = json_pack("{s:s, s:i, s:i}", "mode", "fixed", "code_offset", 16, "stack_offset", 0);
	json_t	*r = placement_result(told, true);

	(void)state;
	assert_true(json_equal(told, r));
	json_decref(told);
	json_decref(r);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_placement_each_factor_is_judged_by_its_own_layouts_and_the_default),
		cmocka_unit_test(test_placement_a_layout_is_its_samples_median_and_rounds_tell_what_repeating_does),
		cmocka_unit_test(test_placement_times_are_normalised_where_it_is_known_of_all_how_slow_the_clock_was),
		cmocka_unit_test(test_placement_random_layouts_have_a_spread_but_no_factors),
		cmocka_unit_test(test_placement_of_nothing_and_of_nonsense_is_harmless),
		cmocka_unit_test(test_placement_a_fixed_layout_is_told_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

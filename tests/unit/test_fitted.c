/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/search/fitted.h"

static const struct fitted	half = {
	.end = SOLVE_HIT, .asked_ns = 200, .reached_ns = 206, .band = 0.03,
	.flush_bytes = 4096, .cold_ns = NAN, .n = 3,
	.point = { { 0, 100, 2 }, { 4096, 206, 2 }, { 8192, 300, 1 } },
};

static void
test_fitted_the_context_is_what_a_spec_takes(void **state)
{
	struct fitted	 f = half;
	json_t		*context = fitted_context(&f);

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(context, "flush_bytes")), 4096);
	json_decref(context);
	f.flush_bytes = 0;
	context = fitted_context(&f);
	assert_string_equal(json_string_value(context), "warm");
	json_decref(context);
	f.is_cold = true;
	context = fitted_context(&f);
	assert_string_equal(json_string_value(context), "cold");
	json_decref(context);
}

static double
number(const json_t *o, const char *name)
{
	assert_true(json_is_number(json_object_get(o, name)));
	return json_number_value(json_object_get(o, name));
}

static void
test_fitted_the_document_has_the_ends_of_the_curve_and_all_of_it(void **state)
{
	json_t		*doc = fitted_document(&half);
	const json_t	*curve = json_object_get(doc, "evaluations");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(doc, "outcome")), "hit");
	assert_float_equal(number(doc, "difference"), 0.03, 1e-9);
	assert_float_equal(number(doc, "warm_ns"), 100, 0);
	assert_float_equal(number(doc, "flushed_ns"), 300, 0);
	assert_float_equal(number(doc, "flushed_bytes"), 8192, 0);
	assert_true(json_is_null(json_object_get(doc, "cold_ns")));
	assert_int_equal(json_array_size(curve), 3);
	assert_float_equal(number(json_array_get(curve, 1), "time_ns"), 206, 0);
	assert_float_equal(number(json_array_get(curve, 1), "times"), 2, 0);
	json_decref(doc);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_fitted_the_context_is_what_a_spec_takes),
		cmocka_unit_test(test_fitted_the_document_has_the_ends_of_the_curve_and_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

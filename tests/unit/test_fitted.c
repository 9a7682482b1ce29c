/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/search/fitted.h"

/* Warm 100 ns, cold 400, x in L3 206; flushes of 4 and 8 KiB. */
static const struct fitted	half = {
	.end = SOLVE_HIT, .asked_ns = 200, .band = 0.03,
	.states = {
		.operand = { { "x", 8192, 1u << LEVEL_WARM | 1u << LEVEL_L3 } },
		.noperands = 1, .target_ns = 200, .band = 0.03,
		.warm_ns = { 99, 100, 101 }, .nwarm = 3, .n = 3, .best = 2,
		.point = {
			{ .ratio = 1, .times = 4 },
			{ .is_cold = true, .ratio = 4, .times = 1 },
			{ .level = { LEVEL_L3_DIRTY }, .ratio = 2.06, .times = 2 },
		},
	},
	.solve = { .n = 3, .best = 1,
	    .point = { { .time_ns = 100, .times = 2 },
		{ .bytes = 4096, .time_ns = 196, .times = 2 },
		{ .bytes = 8192, .time_ns = 300, .times = 1 } } },
};

static void
assert_words(json_t *value, const char *words)
{
	char	*text = json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS);

	assert_string_equal(text, words);
	free(text);
	json_decref(value);
}

static void
test_fitted_the_context_and_the_states_are_what_a_spec_takes(void **state)
{
	struct fitted	f = half;

	(void)state;
	assert_words(fitted_context(&f), "\"warm\"");
	assert_words(fitted_args(&f), "{\"x\": {\"cache\": \"L3\", \"state\": \"dirty\"}}");
	f.states.best = 1;
	assert_words(fitted_context(&f), "\"cold\"");
	assert_words(fitted_args(&f), "{}");
	f.by_bytes = true;
	assert_words(fitted_context(&f), "{\"flush_bytes\": 4096}");
	assert_words(fitted_args(&f), "{}");
}

static void
test_fitted_inputs_that_took_turns_do_so_in_the_spec(void **state)
{
	json_t		*turning = json_pack("{s:{s:{s:i}}, s:{s:{s:i}}}",
	    "x", "data", "rotate", 64, "keys", "data", "rotate", 4096);
	struct fitted	 f = half;

	(void)state;
	f.turning = turning;
	assert_words(fitted_args(&f), "{\"keys\": {\"data\": {\"rotate\": 4096}}, "
	    "\"x\": {\"cache\": \"L3\", \"data\": {\"rotate\": 64}, \"state\": \"dirty\"}}");
	f.by_bytes = true;
	assert_words(fitted_args(&f), "{\"keys\": {\"data\": {\"rotate\": 4096}}, "
	    "\"x\": {\"data\": {\"rotate\": 64}}}");
	json_decref(turning);
}

static void
test_fitted_a_hit_is_sure_unless_others_hit_or_warm_times_differ(void **state)
{
	struct fitted	f = half;

	(void)state;
	assert_int_equal(fitted_trust(&f), FITTED_SURE);
	f.states.point[1].ratio = 1.96;
	assert_int_equal(fitted_trust(&f), FITTED_AMBIGUOUS);
	f.by_bytes = true;
	assert_int_equal(fitted_trust(&f), FITTED_SURE);
	f.states.warm_ns[0] = 90;
	f.states.warm_ns[2] = 110;
	assert_int_equal(fitted_trust(&f), FITTED_NOISY);
	f.end = SOLVE_CLOSEST;
	assert_int_equal(fitted_trust(&f), FITTED_NONE);
}

static double
number(const json_t *o, const char *name)
{
	assert_true(json_is_number(json_object_get(o, name)));
	return json_number_value(json_object_get(o, name));
}

static void
test_fitted_the_document_has_the_ends_and_all_that_was_timed(void **state)
{
	json_t		*doc = fitted_document(&half);
	const json_t	*all = json_object_get(doc, "evaluations");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(doc, "outcome")), "hit");
	assert_string_equal(json_string_value(json_object_get(doc, "confidence")), "sure");
	assert_float_equal(number(doc, "reached_ns"), 206, 1e-9);
	assert_float_equal(number(doc, "difference"), 0.03, 1e-9);
	assert_float_equal(number(doc, "noise"), 0.014826, 1e-9);
	assert_float_equal(number(doc, "warm_ns"), 100, 0);
	assert_float_equal(number(doc, "cold_ns"), 400, 1e-9);
	assert_float_equal(number(doc, "flushed_ns"), 300, 0);
	assert_float_equal(number(doc, "flushed_bytes"), 8192, 0);
	assert_true(json_is_false(json_object_get(doc, "flat")));
	assert_int_equal(json_array_size(all), 5);
	assert_float_equal(number(json_array_get(all, 2), "time_ns"), 206, 1e-9);
	assert_float_equal(number(json_array_get(all, 2), "times"), 2, 0);
	assert_float_equal(number(json_array_get(all, 3), "time_ns"), 196, 0);
	json_decref(doc);
}

static void
test_fitted_without_sizes_the_document_has_none(void **state)
{
	struct fitted	 f = half;
	json_t		*doc;

	(void)state;
	f.solve.n = 0;
	doc = fitted_document(&f);
	assert_true(json_is_null(json_object_get(doc, "flushed_ns")));
	assert_true(json_is_null(json_object_get(doc, "flushed_bytes")));
	json_decref(doc);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_fitted_the_context_and_the_states_are_what_a_spec_takes),
		cmocka_unit_test(test_fitted_inputs_that_took_turns_do_so_in_the_spec),
		cmocka_unit_test(test_fitted_a_hit_is_sure_unless_others_hit_or_warm_times_differ),
		cmocka_unit_test(test_fitted_the_document_has_the_ends_and_all_that_was_timed),
		cmocka_unit_test(test_fitted_without_sizes_the_document_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/tune/front.h"
#include "client/tune/made.h"

/* ---- points that a script made ---- */

static json_t *
parse(const char *text)
{
	json_t	*value = json_loads(text, 0, NULL);

	assert_non_null(value);
	return value;
}

static void
open_made(struct made *m, json_t *points)
{
	struct fault	why;

	assert_int_equal(made_open(m, points, &why), ST_OK);
}

static void
test_made_parameters_are_dimensions_with_their_values_in_order(void **state)
{
	json_t		*points = parse("[{\"B\":8,\"U\":1},{\"B\":8,\"U\":2},{\"B\":4,\"U\":1}]");
	struct made	 m;

	(void)state;
	open_made(&m, points);
	assert_int_equal(m.ndims, 2);
	assert_string_equal(m.name[0], "B");
	assert_string_equal(m.name[1], "U");
	assert_int_equal(json_array_size(m.values[0]), 2);
	assert_int_equal(json_integer_value(json_array_get(m.values[0], 0)), 8);
	assert_int_equal(json_integer_value(json_array_get(m.values[0], 1)), 4);
	assert_int_equal(json_array_size(m.values[1]), 2);
	made_release(&m);
	json_decref(points);
}

static void
test_made_points_have_their_variant_and_others_have_none(void **state)
{
	json_t		*points = parse("[{\"B\":8,\"U\":1},{\"B\":8,\"U\":2},{\"B\":4,\"U\":1}]");
	const uint32_t	 at[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 } }, illegal[2] = { 1, 1 };
	struct made	 m;
	size_t		 variant;

	(void)state;
	open_made(&m, points);
	for (size_t i = 0; i < 3; i++) {
		assert_true(made_variant(&m, at[i], &variant));
		assert_int_equal(variant, i);
	}
	assert_false(made_variant(&m, illegal, &variant));
	made_release(&m);
	json_decref(points);
}

static void
test_made_nothing_or_points_without_parameters_are_no_dimensions(void **state)
{
	json_t		*points = parse("[{}]");
	struct made	 m;

	(void)state;
	open_made(&m, NULL);
	assert_int_equal(m.ndims, 0);
	open_made(&m, points);
	assert_int_equal(m.ndims, 0);
	made_release(&m);
	json_decref(points);
}

static void
test_made_refuses_one_parameter_past_the_limit(void **state)
{
	json_t		*points = json_pack("[{}]"), *point = json_array_get(points, 0);
	struct made	 m;
	struct fault	 why;
	char		 name[] = "a";

	(void)state;
	for (; name[0] < 'a' + MADE_MAX_DIMENSIONS; name[0]++)
		(void)json_object_set_new(point, name, json_integer(1));
	open_made(&m, points);
	assert_int_equal(m.ndims, MADE_MAX_DIMENSIONS);
	made_release(&m);
	(void)json_object_set_new(point, name, json_integer(1));
	assert_int_equal(made_open(&m, points, &why), ST_BAD_SPEC);
	made_release(&m);
	json_decref(points);
}

static void
test_made_refuses_a_grid_of_more_points_than_the_limit(void **state)
{
	json_t		*points = json_array();
	struct made	 m;
	struct fault	 why;

	(void)state;
	for (int i = 0; i <= 1 << 7; i++)	/* of three parameters: above 2 to the 20 */
		(void)json_array_append_new(points, json_pack("{s:i, s:i, s:i}", "a", i, "b", i,
		    "c", i));
	assert_int_equal(made_open(&m, points, &why), ST_BAD_SPEC);
	made_release(&m);
	json_decref(points);
}

/* ---- the front of time and code ---- */

enum { MAX_RECORDS = 100 };

struct measured {
	double		ns;		/* INFINITY: failed */
	uint64_t	bytes;		/* 0: unknown */
};

static struct field	one_cell = { .ncells = 1 };

static void
fill(struct ledger *l, const struct measured *of, size_t n)
{
	const struct point	origin = { .at = { 0 } };
	struct record		r;
	struct fault		why;

	*l = (struct ledger){ .at = NULL };
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(record_init(&r, &one_cell, &origin, &why), ST_OK);
		r.value = of[i].ns;
		r.cell[0].state = isfinite(of[i].ns) ? CELL_TIMED : CELL_FAILED;
		r.cell[0].ns = of[i].ns;
		r.cell[0].code_bytes = of[i].bytes;
		assert_int_equal(ledger_add(l, &r, &one_cell, &why), ST_OK);
	}
}

static void
assert_front(const struct measured *of, size_t n, const size_t *wanted, size_t nwanted)
{
	struct ledger	l;
	size_t		at[FRONT_MAX];

	fill(&l, of, n);
	assert_int_equal(front_find(&l, &one_cell, at), nwanted);
	for (size_t i = 0; i < nwanted; i++)
		assert_int_equal(at[i], wanted[i]);
	ledger_release(&l);
}

static void
test_front_goes_from_the_fastest_to_the_smallest_without_those_that_are_beaten(void **state)
{
	const struct measured	of[] = { { 50, 100 }, { 10, 400 }, { 20, 500 }, { 30, 200 } };
	const size_t		wanted[] = { 1, 3, 0 };

	(void)state;
	assert_front(of, 4, wanted, 3);
}

static void
test_front_has_of_equally_fast_ones_the_smallest_and_of_equal_ones_the_first(void **state)
{
	const struct measured	of[] = { { 10, 400 }, { 10, 300 }, { 10, 300 }, { 12, 300 } };
	const size_t		wanted[] = { 1 };

	(void)state;
	assert_front(of, 4, wanted, 1);
}

static void
test_front_leaves_out_failures_and_those_of_unknown_size(void **state)
{
	const struct measured	of[] = { { INFINITY, 10 }, { 5, 0 }, { 20, 100 } };
	const size_t		wanted[] = { 2 };

	(void)state;
	assert_front(of, 3, wanted, 1);
	assert_front(of, 2, NULL, 0);
	assert_front(NULL, 0, NULL, 0);
}

static void
test_front_ends_at_its_limit(void **state)
{
	struct measured	of[MAX_RECORDS];
	size_t		wanted[FRONT_MAX];

	(void)state;
	for (size_t i = 0; i < MAX_RECORDS; i++)
		of[i] = (struct measured){ 10 + (double)i, 1000 - i };
	for (size_t i = 0; i < FRONT_MAX; i++)
		wanted[i] = i;
	assert_front(of, MAX_RECORDS, wanted, FRONT_MAX);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_made_parameters_are_dimensions_with_their_values_in_order),
		cmocka_unit_test(test_made_points_have_their_variant_and_others_have_none),
		cmocka_unit_test(test_made_nothing_or_points_without_parameters_are_no_dimensions),
		cmocka_unit_test(test_made_refuses_one_parameter_past_the_limit),
		cmocka_unit_test(test_made_refuses_a_grid_of_more_points_than_the_limit),
		cmocka_unit_test(
		    test_front_goes_from_the_fastest_to_the_smallest_without_those_that_are_beaten),
		cmocka_unit_test(
		    test_front_has_of_equally_fast_ones_the_smallest_and_of_equal_ones_the_first),
		cmocka_unit_test(test_front_leaves_out_failures_and_those_of_unknown_size),
		cmocka_unit_test(test_front_ends_at_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

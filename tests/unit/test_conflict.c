/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/evidence/conflict.h"

/* 64 sets of 8 lines. */
static const struct slot	slot = { .l1_bytes = 32 << 10, .l1_ways = 8, .line_bytes = 64 };

static struct operand
matrix(size_t rows, size_t columns)
{
	return (struct operand){ .type = CTYPE_DOUBLE, .ndims = 2, .size = { rows, columns },
	    .elements = rows * columns, .stride = 1 };
}

static struct operand
vector(size_t elements, size_t stride)
{
	return (struct operand){ .type = CTYPE_DOUBLE, .ndims = 1, .size = { elements },
	    .elements = elements, .stride = stride };
}

static bool
is_risk(struct operand o)
{
	struct conflict	c;

	return conflict_find(&o, &slot, &c);
}

static void
test_conflict_X17_leading_dimensions_that_are_powers_of_two_share_few_sets(void **state)
{
	struct operand	square = matrix(512, 512), tall = matrix(2048, 128);
	struct conflict	c;

	(void)state;
	assert_true(conflict_find(&square, &slot, &c));
	assert_int_equal(c.stride_bytes, 4096);
	assert_int_equal(c.lines, 512);
	assert_true(c.sets == 1 && c.of_sets == 64 && c.ways == 8);
	assert_true(conflict_find(&tall, &slot, &c));
	assert_int_equal(c.stride_bytes, 1024);		/* down a column, by rows */
	assert_int_equal(c.sets, 4);
	assert_false(is_risk(matrix(520, 520)));
	assert_false(is_risk(matrix(500, 500)));
}

static void
test_conflict_X17_a_stride_of_4096_is_a_risk_once_a_set_is_too_small(void **state)
{
	struct operand	far = vector(512 * 100, 512);
	struct conflict	c;

	(void)state;
	assert_true(conflict_find(&far, &slot, &c));
	assert_true(c.stride_bytes == 4096 && c.lines == 100 && c.sets == 1);
	assert_true(is_risk(vector(512 * 9, 512)));
	assert_false(is_risk(vector(512 * 8, 512)));	/* as many as a set holds */
	assert_true(is_risk(vector(1536 * 100, 1536)));	/* a multiple of it */
	assert_false(is_risk(vector(520 * 100, 520)));
	assert_false(is_risk(vector(1 << 20, 1)));
}

static void
test_conflict_X17_dimensions_are_looked_at_in_both_orders(void **state)
{
	struct operand	cube = { .type = CTYPE_FLOAT, .ndims = 3, .size = { 100, 3, 1024 },
			    .elements = 307200, .stride = 1 };
	struct conflict	c;

	(void)state;
	assert_false(is_risk(matrix(4, 512)));
	assert_true(is_risk(matrix(512, 100)));		/* the first runs fastest */
	assert_true(is_risk(matrix(100, 512)));		/* the last does */
	assert_true(conflict_find(&cube, &slot, &c));
	assert_int_equal(c.stride_bytes, 3 * 1024 * 4);
}

static void
test_conflict_the_machines_cache_decides_and_one_that_is_not_known_is_a_usual_one(void **state)
{
	const struct slot	large = { .l1_bytes = 48 << 10, .l1_ways = 12, .line_bytes = 64 };
	const struct slot	unknown = { .l1_bytes = 0 };
	struct operand		ten = vector(512 * 10, 512);
	struct conflict		c;

	(void)state;
	assert_false(conflict_find(&ten, &large, &c));
	assert_true(conflict_find(&ten, &unknown, &c));
	assert_true(c.of_sets == 64 && c.ways == 8);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_conflict_X17_leading_dimensions_that_are_powers_of_two_share_few_sets),
		cmocka_unit_test(
		    test_conflict_X17_a_stride_of_4096_is_a_risk_once_a_set_is_too_small),
		cmocka_unit_test(test_conflict_X17_dimensions_are_looked_at_in_both_orders),
		cmocka_unit_test(
		    test_conflict_the_machines_cache_decides_and_one_that_is_not_known_is_a_usual_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

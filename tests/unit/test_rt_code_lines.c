/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "worker/runner/sample/code_lines.h"

enum { LINE = 64 };

static int
is_among(const struct rt_code_lines *c, uintptr_t at)
{
	for (unsigned i = 0; i < c->n; i++)
		if (at - (uintptr_t)c->span[i].at < c->span[i].piece_bytes)
			return 1;
	return 0;
}

static int
routine(int a)
{
	return a + 1;
}

static void
test_rt_code_lines_X9_are_of_the_object_that_has_the_routine(void **state)
{
	static int		data = 1;
	struct rt_code_lines	own, libc;

	(void)state;
	rt_code_lines_find(&own, (rt_code *)routine);
	rt_code_lines_find(&libc, (rt_code *)abs);
	assert_true(is_among(&own, (uintptr_t)routine));
	assert_true(is_among(&own, (uintptr_t)rt_code_lines_find));
	assert_false(is_among(&own, (uintptr_t)&data) || is_among(&own, (uintptr_t)&own));
	assert_false(is_among(&own, (uintptr_t)libc.span[0].at));
	assert_false(is_among(&libc, (uintptr_t)routine));
}

static void
test_rt_code_lines_of_memory_that_no_linker_loaded_there_are_none(void **state)
{
	struct rt_code_lines	c;
	char			here[1];

	(void)state;
	rt_code_lines_find(&c, (rt_code *)(uintptr_t)here);
	assert_int_equal(c.n, 0);
	assert_int_equal(rt_code_lines_count(&c, LINE), 0);
}

/* A mapping that begins and ends within a line. */
static void
test_rt_code_lines_each_is_found_by_its_number(void **state)
{
	static _Alignas(LINE) char	a[4 * LINE], b[2 * LINE];
	struct rt_code_lines		c = { .n = 0 };

	(void)state;
	rt_code_lines_add(&c, a + 10, 2 * LINE);	/* touches three */
	rt_code_lines_add(&c, b, LINE + 1);
	rt_code_lines_add(&c, b, 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(rt_code_lines_count(&c, LINE), 5);
	assert_ptr_equal(rt_code_lines_at(&c, 0, LINE), a + 10);
	assert_ptr_equal(rt_code_lines_at(&c, 2, LINE), a + 2 * LINE);
	assert_ptr_equal(rt_code_lines_at(&c, 3, LINE), b);
	assert_ptr_equal(rt_code_lines_at(&c, 4, LINE), b + LINE);
}

static void
test_rt_code_lines_more_mappings_than_there_is_room_for_are_left_out(void **state)
{
	struct rt_code_lines	c = { .n = 0 };
	char			here[LINE];

	(void)state;
	for (unsigned i = 0; i < 2 * RT_CODE_SPANS; i++)
		rt_code_lines_add(&c, here, LINE);
	assert_int_equal(c.n, RT_CODE_SPANS);
	rt_code_lines_flush(&c, LINE);			/* and the routine can still be called */
	assert_int_equal(routine(1), 2);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_rt_code_lines_X9_are_of_the_object_that_has_the_routine),
		cmocka_unit_test(test_rt_code_lines_of_memory_that_no_linker_loaded_there_are_none),
		cmocka_unit_test(test_rt_code_lines_each_is_found_by_its_number),
		cmocka_unit_test(
		    test_rt_code_lines_more_mappings_than_there_is_room_for_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

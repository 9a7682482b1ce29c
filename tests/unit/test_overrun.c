/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/bench/overrun.h"

/* Operand 1 lies below operand 0, with its guard page between; operand 2 elsewhere, in sets too. */
static const struct runner_bounds	bounds[RUNNER_OPERANDS + 3] = {
	{ 0x20040, 0x21000, 0x2040 }, { 0x1e040, 0x1f000, 0x2040 }, { 0x80000, 0x80100, 0x2040 },
	[RUNNER_OPERANDS + 2] = { 0x90000, 0x98000, 0x2040 },
};

static struct overrun
find(uint64_t at, uint32_t access)
{
	const struct runner_touch	touch = { at, access };

	return overrun_find(bounds, sizeof bounds / sizeof bounds[0], &touch);
}

static void
test_overrun_the_operand_with_the_nearest_end_is_named(void **state)
{
	static const struct {
		uint64_t	 at;
		int		 operand;
		bool		 in_front;
	} cases[] = {
		{ 0x21000, 0, false }, { 0x21fff, 0, false }, { 0x1f000, 1, false },
		{ 0x1f008, 1, false }, { 0x1fff8, 0, true }, { 0x1dff8, 1, true },
		{ 0x80100, 2, false }, { 0x98000, 2, false }, { 0x8fff8, 2, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct overrun	o = find(cases[i].at, RUNNER_READ);

		assert_int_equal(o.operand, cases[i].operand);
		assert_int_equal(o.in_front, cases[i].in_front);
	}
}

static void
test_overrun_an_address_that_is_unknown_far_or_inside_names_none(void **state)
{
	static const uint64_t	at[] = { 0, 64, 0x20040, 0x20fff, 0x40000, 0x9b000, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
		assert_int_equal(find(at[i], RUNNER_WRITE).operand, -1);
}

static void
test_overrun_its_words_name_the_access_and_the_end(void **state)
{
	static const struct {
		uint64_t	 at;
		uint32_t	 access;
		const char	*words;
	} cases[] = {
		{ 0x21000, RUNNER_READ, "read beyond the end of operand" },
		{ 0x21000, RUNNER_WRITE, "write beyond the end of operand" },
		{ 0x1fff8, RUNNER_WRITE, "write before the beginning of operand" },
		{ 0x21000, RUNNER_ACCESS, "access beyond the end of operand" },
		{ 0x21000, 4000000000u, "access beyond the end of operand" },	/* a forged one */
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct overrun	o = find(cases[i].at, cases[i].access);

		assert_string_equal(overrun_words(&o), cases[i].words);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_overrun_the_operand_with_the_nearest_end_is_named),
		cmocka_unit_test(test_overrun_an_address_that_is_unknown_far_or_inside_names_none),
		cmocka_unit_test(test_overrun_its_words_name_the_access_and_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

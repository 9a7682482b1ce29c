/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/transform/script/script.h"

static const char *const	words[] = { "tile", "unroll", "swap", NULL };

struct fixture {
	struct arena	*arena;
	struct script	 script;
	struct fault	 why;
};

static int
set_up(void **state)
{
	struct fixture	*f = calloc(1, sizeof *f);

	f->arena = arena_new();
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture	*f = *state;

	script_release(&f->script);
	arena_free(f->arena);
	free(f);
	return 0;
}

static enum status
parse(struct fixture *f, const char *text)
{
	return script_parse(&f->script, f->arena, "s", text, strlen(text), words, &f->why);
}

static void
assert_refused(struct fixture *f, const char *text, const char *member, const char *said)
{
	assert_int_equal(parse(f, text), ST_BAD_SPEC);
	assert_string_equal(f->why.member, member);
	if (strstr(f->why.text, said) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", said, f->why.text);
	script_release(&f->script);
}

/* ---- tests ---- */

static void
test_script_G24_G25_all_blocks_and_unrolling_up_to_them_are_496_points(void **state)
{
	struct fixture	*f = *state;
	size_t		 n = 0;
	bool		 wanted;

	assert_int_equal(parse(f, "script 1\nparam B = 1..31\nparam U = 1:31:1\nwhere U <= B\n"
	    "tile r B\nunroll s U\n"), ST_OK);
	assert_int_equal(f->script.npoints, 961);
	script_first(&f->script);
	do {
		assert_int_equal(script_is_wanted(&f->script, &wanted, &f->why), ST_OK);
		n += wanted;
	} while (script_next(&f->script));
	assert_int_equal(n, 496);
}

static void
test_script_texts_in_quotes_are_one_value(void **state)
{
	struct fixture	*f = *state;

	assert_int_equal(parse(f, "script 1\nparam F = \"-O2\" \"-O3 -g\"\nflags F -Wall\n"),
	    ST_OK);
	assert_int_equal(f->script.npoints, 2);
	script_first(&f->script);
	assert_true(script_next(&f->script));
	assert_string_equal(script_fill(&f->script, f->script.flags), "-O3 -g -Wall");
	assert_string_equal(script_point(&f->script), "F=-O3 -g");
}

static void
test_script_remarks_end_a_line_but_not_the_name_of_a_loop(void **state)
{
	struct fixture	*f = *state;

	assert_int_equal(parse(f, "# first\nscript 1\r\nswap p#2 s # and so on\n"), ST_OK);
	assert_string_equal(f->script.steps[0].text, "p#2 s");
}

static void
test_script_numbers_are_expressions_over_parameters(void **state)
{
	struct fixture	*f = *state;
	int64_t		 numbers[SCRIPT_MAX_ITEMS];
	size_t		 n;

	assert_int_equal(parse(f, "script 1\nparam B = 4\ntile r,q B,2*B\n"), ST_OK);
	script_first(&f->script);
	assert_int_equal(script_numbers(&f->script, &f->script.steps[0], "B,2*B", numbers, &n,
	    &f->why), ST_OK);
	assert_int_equal(n, 2);
	assert_int_equal(numbers[0], 4);
	assert_int_equal(numbers[1], 8);
}

static void
test_script_every_refusal_has_line_column_and_reason(void **state)
{
	struct fixture	*f = *state;

	assert_refused(f, "", "s:1:1", "empty");
	assert_refused(f, "tile r 8\n", "s:1:1", "version");
	assert_refused(f, "script 2\n", "s:1:1", "version 1");
	assert_refused(f, "script 1\n  tyle r 8\n", "s:2:3", "no step");
	assert_string_equal(f->why.hint, "did you mean \"tile\"?");
	assert_refused(f, "script 1\nparam B\n", "s:2:1", "NAME = VALUES");
	assert_refused(f, "script 1\nparam B =\n", "s:2:1", "no values");
	assert_refused(f, "script 1\nparam B = 5..1\n", "s:2:1", "empty range");
	assert_refused(f, "script 1\nparam B = \"x\n", "s:2:1", "does not end");
	assert_refused(f, "script 1\nparam B = 1\nparam B = 2\n", "s:3:1", "already");
	assert_refused(f, "script 1\nwhere C < 2\n", "s:2:1", "no parameter C");
	assert_refused(f, "script 1\nparam C = 1\nwhere C <\n", "s:3:1", "");
	assert_refused(f, "script 1\nflags -O2\nflags -O3\n", "s:3:1", "already");
	assert_refused(f, "s\1cript\n", "s:1:2", "0x01");
	assert_refused(f, "\xff\xfes\n", "s:1:1", "0xff");
}

static void
test_script_a_space_of_a_thousand_million_points_is_refused(void **state)
{
	struct fixture	*f = *state;

	assert_refused(f, "script 1\nparam A = 1..1000\nparam B = 1..1000\nparam C = 1..1000\n",
	    "s:3:1", "more than 100000 points");
	assert_refused(f, "script 1\nparam A = 1..1000000000\n", "s:2:1", "more than");
}

static void
test_script_a_line_of_a_mebibyte_is_refused(void **state)
{
	struct fixture	*f = *state;
	static char	 text[(1 << 20) + 16];

	memset(text, 'x', sizeof text - 1);
	memcpy(text, "script 1\n", 9);
	assert_refused(f, text, "s:1:1", "longer than");
	text[9 + SCRIPT_MAX_LINE + 1] = '\0';
	assert_refused(f, text, "s:2:1", "longer than");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_script_G24_G25_all_blocks_and_unrolling_up_to_them_are_496_points),
		TEST(test_script_texts_in_quotes_are_one_value),
		TEST(test_script_remarks_end_a_line_but_not_the_name_of_a_loop),
		TEST(test_script_numbers_are_expressions_over_parameters),
		TEST(test_script_every_refusal_has_line_column_and_reason),
		TEST(test_script_a_space_of_a_thousand_million_points_is_refused),
		TEST(test_script_a_line_of_a_mebibyte_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

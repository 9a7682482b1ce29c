/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "proto/base/fault.h"

static bool
is_utf8(const char *text)
{
	json_t	*v = json_string(text);
	bool	 is = v != NULL;

	json_decref(v);
	return is;
}

static void
test_fault_has_place_words_and_remedy_in_one_line(void **state)
{
	struct fault	why;
	char		line[200];

	(void)state;
	assert_int_equal(fault_at(&why, ST_BAD_SPEC, "spec.args.X", "is %d", 3), ST_BAD_SPEC);
	fault_hint(&why, "use %s", "4");
	assert_string_equal(fault_line(&why, line, sizeof line), "spec.args.X: is 3 (use 4)");
	assert_int_equal(fault_set(&why, ST_IO, "broken"), ST_IO);
	assert_string_equal(fault_line(&why, line, sizeof line), "broken");
}

static void
test_fault_within_puts_the_outer_place_before(void **state)
{
	struct fault	why;

	(void)state;
	(void)fault_at(&why, ST_BAD_SPEC, "args.X", "no");
	assert_int_equal(fault_within(&why, "spec"), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.args.X");
	(void)fault_within(&why, "jobs[3]");
	assert_string_equal(why.member, "jobs[3].spec.args.X");
	(void)fault_at(&why, ST_BAD_SPEC, "[2]", "no");
	(void)fault_within(&why, "flags");
	assert_string_equal(why.member, "flags[2]");
	(void)fault_set(&why, ST_BAD_SPEC, "no");
	(void)fault_within(&why, "spec");
	assert_string_equal(why.member, "spec");
}

static void
test_fault_words_nobody_wants_are_fine(void **state)
{
	(void)state;
	assert_int_equal(fault_set(NULL, ST_NOMEM, "x"), ST_NOMEM);
	assert_int_equal(fault_at(NULL, ST_BAD_SPEC, "m", "x"), ST_BAD_SPEC);
	fault_hint(NULL, "x");
}

static void
test_fault_too_long_is_cut_not_lost(void **state)
{
	struct fault	why;
	char		big[4096], line[40];

	(void)state;
	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	(void)fault_at(&why, ST_BAD_SPEC, big, "%s", big);
	fault_hint(&why, "%s", big);
	assert_int_equal(strlen(why.member), sizeof why.member - 1);
	assert_int_equal(strlen(why.text), sizeof why.text - 1);
	assert_int_equal(strlen(why.hint), sizeof why.hint - 1);
	(void)fault_within(&why, big);
	assert_int_equal(strlen(why.member), sizeof why.member - 1);
	assert_int_equal(strlen(fault_line(&why, line, sizeof line)), sizeof line - 1);
}

static void
test_fault_stays_utf8_wherever_it_is_cut(void **state)
{
	struct fault	why;
	char		word[1000], line[60];

	(void)state;
	for (size_t shift = 0; shift < 4; shift++) {
		memset(word, 'x', shift);
		for (size_t i = shift; i + 5 < sizeof word; i += 4)
			memcpy(word + i, "\xf0\x9f\x98\x80", 5);
		(void)fault_at(&why, ST_BAD_SPEC, word, "%.41s and %s", word, word);
		fault_hint(&why, "%s", word);
		assert_true(is_utf8(why.member) && is_utf8(why.text) && is_utf8(why.hint));
		assert_true(is_utf8(fault_line(&why, line, sizeof line)));
	}
}

static void
test_fault_keeps_no_control_characters_and_no_broken_utf8(void **state)
{
	static const char *const	broken[] = { "a\x1b[2Jb", "\x7f", "\xff", "\xc0\x80",
	    "\xe0\x80\x80", "\xed\xa0\x80",
		"\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80", "\xc3", "\xe2\x82" };
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		(void)fault_set(&why, ST_BAD_SPEC, "%s", broken[i]);
		assert_true(is_utf8(why.text));
		assert_null(strpbrk(why.text, "\x1b\x7f"));
		assert_non_null(strchr(why.text, '?'));
	}
	(void)fault_set(&why, ST_BUILD_FAILED, "two\n\tlines, größer");
	assert_string_equal(why.text, "two\n\tlines, größer");
}

static void
test_fault_the_nearest_name_is_a_slip_away(void **state)
{
	static const char *const	names[] = { "double", "float", "in", "inout", "L2",
	    "median", NULL };

	(void)state;
	assert_string_equal(nearest_name("dobule", names), "double");
	assert_string_equal(nearest_name("doubel", names), "double");
	assert_string_equal(nearest_name("floats", names), "float");
	assert_string_equal(nearest_name("l2", names), "L2");
	assert_string_equal(nearest_name("median", names), "median");
	assert_null(nearest_name("mean", names));
	assert_null(nearest_name("X", names));
	assert_null(nearest_name("", names));
	assert_null(nearest_name("nothing like it", names));
}

static void
test_fault_very_long_words_are_near_nothing(void **state)
{
	static const char *const	names[] = {
		"a_name_longer_than_sixty_three_bytes_is_no_name_that_a_person_types", "short", NULL
	};

	(void)state;
	assert_null(nearest_name(names[0], names));
	assert_string_equal(nearest_name("shrot", names), "short");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_fault_has_place_words_and_remedy_in_one_line),
		cmocka_unit_test(test_fault_within_puts_the_outer_place_before),
		cmocka_unit_test(test_fault_words_nobody_wants_are_fine),
		cmocka_unit_test(test_fault_too_long_is_cut_not_lost),
		cmocka_unit_test(test_fault_stays_utf8_wherever_it_is_cut),
		cmocka_unit_test(test_fault_keeps_no_control_characters_and_no_broken_utf8),
		cmocka_unit_test(test_fault_the_nearest_name_is_a_slip_away),
		cmocka_unit_test(test_fault_very_long_words_are_near_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

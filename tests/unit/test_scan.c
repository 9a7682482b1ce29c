/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/json/scan.h"

static bool
is_json(const char *text)
{
	struct span	s;
	char		*exact = malloc(strlen(text) + 1);	/* reading further is noticed */
	bool		 is_valid;

	assert_non_null(exact);
	memcpy(exact, text, strlen(text));
	is_valid = scan_text(exact, strlen(text), &s);
	free(exact);
	return is_valid;
}

static void
test_scan_takes_json_and_nothing_else(void **state)
{
	static const char *const	good[] = {
		"{}", "[]", " [ 1 , -0.5e+3 ] ", "\"\\u00e4\\n\"", "null", "0", "{\"a\":{\"b\":[true,false]}}",
		"\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
	};
	static const char *const	bad[] = {
		"", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "-", "1.", "1e", "+1", "tru",
		"\"", "\"\\", "\"\\u12g4\"", "\"\\x\"", "\"\n\"", "[1]]", "\"\xff\"", "\"\xc3\"", "\"\xc0\x80\"",
		"\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "nullx", "[1 2]", "}",
	};
	char				deep[2 * SCAN_MAX_DEPTH + 8];

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!is_json(good[i]))
			fail_msg("refused: %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (is_json(bad[i]))
			fail_msg("taken: %s", bad[i]);
	for (size_t depth = SCAN_MAX_DEPTH; depth <= SCAN_MAX_DEPTH + 1; depth++) {
		memset(deep, '[', depth);
		memset(deep + depth, ']', depth);
		deep[2 * depth] = '\0';
		assert_int_equal(is_json(deep), depth <= SCAN_MAX_DEPTH);
	}
}

static void
assert_member(const char *text, const char *name, const char *want)
{
	struct span	object, found;

	assert_true(scan_text(text, strlen(text), &object));
	found = scan_member(&object, name);
	assert_int_equal(found.bytes, strlen(want));
	assert_true(found.bytes == 0 || memcmp(found.at, want, found.bytes) == 0);
}

static void
test_scan_finds_members_of_the_object_itself_that_are_there_once(void **state)
{
	(void)state;
	assert_member(" {\"x\" : [1, {\"id\":9}] , \"id\": 7 }", "id", "7");
	assert_member("{\"x\":{\"id\":9},\"s\":\"\\\"id\\\":3\"}", "id", "");
	assert_member("{\"id\":1,\"id\":2}", "id", "");
	assert_member("[\"id\"]", "id", "");
}

static void
assert_string(const char *text, size_t room, const char *want)
{
	struct span	s;
	char		buf[32];

	assert_true(scan_text(text, strlen(text), &s));
	scan_string(&s, buf, room);
	assert_string_equal(buf, want);
}

static void
test_scan_knows_what_has_nothing_in_it(void **state)
{
	static const struct {
		const char	*text;
		bool		 is_empty;
	} cases[] = {
		{ "{}", true }, { "[]", true }, { " { \t} ", true }, { "[ \n]", true },
		{ "{\"\":{}}", false }, { "[{}]", false }, { "[ 0]", false },
	};
	struct span	s;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(scan_text(cases[i].text, strlen(cases[i].text), &s));
		assert_int_equal(scan_is_empty(&s), cases[i].is_empty);
	}
}

static void
test_scan_reads_strings_without_escapes_and_cuts_between_characters(void **state)
{
	(void)state;
	assert_string("\"a\\n\\\"\\/\\u20ac\\ud83d\\ude00\"", 32, "a\n\"/\xe2\x82\xac\xf0\x9f\x98\x80");
	assert_string("\"\\ud83d!\\u0000\\udc00\"", 32, "?!??");
	assert_string("\"ab\xe2\x82\xac\"", 5, "ab");
	assert_string("7", 32, "");
}

static void
test_scan_reads_integers_that_fit(void **state)
{
	static const char	*const bad[] = { "1.0", "9223372036854775808", "\"1\"", "null" };
	struct span		 s;
	int64_t			 n;

	(void)state;
	assert_true(scan_text("-12", 3, &s) && scan_integer(&s, &n) && n == -12);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_true(scan_text(bad[i], strlen(bad[i]), &s) && !scan_integer(&s, &n));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_scan_takes_json_and_nothing_else),
		cmocka_unit_test(test_scan_finds_members_of_the_object_itself_that_are_there_once),
		cmocka_unit_test(test_scan_knows_what_has_nothing_in_it),
		cmocka_unit_test(test_scan_reads_strings_without_escapes_and_cuts_between_characters),
		cmocka_unit_test(test_scan_reads_integers_that_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

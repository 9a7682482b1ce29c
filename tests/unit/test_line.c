/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/api/api.h"
#include "daemon/doors/line.h"

static void
put(struct line_buffer *b, const char *text)
{
	assert_int_equal(line_put(b, text, strlen(text)), ST_OK);
}

static void
assert_line(struct line_buffer *b, const char *want)
{
	const char	*line;
	size_t		 bytes;

	assert_int_equal(line_take(b, &line, &bytes), ST_OK);
	assert_int_equal(bytes, strlen(want));
	assert_memory_equal(line, want, bytes);
}

static void
assert_no_line(struct line_buffer *b, enum status want)
{
	const char	*line;
	size_t		 bytes;

	assert_int_equal(line_take(b, &line, &bytes), want);
}

static void
test_line_comes_out_whole_however_its_bytes_came_in(void **state)
{
	static const char	text[] = "one\n\ntwo three\n";
	struct line_buffer	b;

	(void)state;
	line_init(&b);
	for (const char *c = text; *c != '\0'; c++) {
		char	one[2] = { *c, '\0' };

		put(&b, one);
		if (*c != '\n')
			assert_no_line(&b, ST_NOT_FOUND);
		else if (c == text + 3)
			assert_line(&b, "one");
		else if (c == text + 4)
			assert_line(&b, "");
		else
			assert_line(&b, "two three");
	}
	line_release(&b);
}

static void
test_line_gives_several_lines_of_one_read_and_keeps_the_half_one(void **state)
{
	struct line_buffer	b;

	(void)state;
	line_init(&b);
	put(&b, "a\nbb\nccc");
	assert_line(&b, "a");
	assert_line(&b, "bb");
	assert_no_line(&b, ST_NOT_FOUND);
	put(&b, "c\n");
	assert_line(&b, "cccc");
	assert_no_line(&b, ST_NOT_FOUND);
	line_release(&b);
}

static void
fill(struct line_buffer *b, size_t bytes)
{
	char	*x = malloc(bytes);

	assert_non_null(x);
	memset(x, 'x', bytes);
	assert_int_equal(line_put(b, x, bytes), ST_OK);
	free(x);
}

static void
test_line_of_exactly_the_limit_passes_and_one_more_byte_does_not(void **state)
{
	struct line_buffer	b;
	const char		*line;
	size_t			 bytes;

	(void)state;
	line_init(&b);
	fill(&b, API_MAX_LINE_BYTES);
	assert_no_line(&b, ST_NOT_FOUND);
	put(&b, "\n");
	assert_int_equal(line_take(&b, &line, &bytes), ST_OK);
	assert_int_equal(bytes, API_MAX_LINE_BYTES);

	fill(&b, (size_t)API_MAX_LINE_BYTES + 1);
	assert_no_line(&b, ST_FULL);
	put(&b, "\nshort\n");
	assert_no_line(&b, ST_FULL);
	line_release(&b);
}

static void
test_line_buffer_is_small_again_after_a_long_line(void **state)
{
	struct line_buffer	b;
	const char		*line;
	size_t			 bytes;

	(void)state;
	line_init(&b);
	fill(&b, 4 << 20);
	put(&b, "\n");
	assert_int_equal(line_take(&b, &line, &bytes), ST_OK);
	put(&b, "x\n");
	assert_true(b.size < 1 << 20);
	assert_line(&b, "x");
	line_release(&b);
}

/* ---- JSON ---- */

static void
assert_refused_at(const char *text, size_t line, size_t column, size_t offset)
{
	struct place	place;
	struct fault	why;
	json_t		*doc;

	assert_int_equal(line_parse(text, strlen(text), &doc, &place, &why), ST_BAD_REQUEST);
	assert_null(doc);
	assert_true(why.text[0] != '\0');
	assert_int_equal(place.line, line);
	assert_int_equal(place.column, column);
	assert_int_equal(place.offset, offset);
}

static void
assert_refused(const char *text, size_t bytes)
{
	struct place	place;
	struct fault	why;
	json_t		*doc;

	assert_int_equal(line_parse(text, bytes, &doc, &place, &why), ST_BAD_REQUEST);
	assert_null(doc);
	assert_true(place.line >= 1 && place.column >= 1 && place.offset <= bytes);
}

static void
test_line_parse_says_where_a_text_is_wrong(void **state)
{
	(void)state;
	assert_refused_at("{\"a\":1,}", 1, 9, 8);
	assert_refused_at("{\n \"b\": x}", 2, 8, 9);
	assert_refused_at("[\"\xc3\xa9\xc3\xa9\", ?]", 1, 9, 10);	/* columns are characters, offsets are bytes */
}

static void
test_line_parse_refuses_what_is_no_strict_json(void **state)
{
	static const char *const	bad[] = {
		"", "{", "{\"a\":1", "{\"a\":1,\"a\":2}", "{'a':1}", "[1,]", "\"\xff\"", "\"\xc3\"",
		    "\"\xed\xa0\x80\"",
		"\"\\u0000\"", "1e999", "99999999999999999999", "nul", "{} {}", "{}x", "\"a\nb\"",
		"[01]", "+1", "NaN",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_refused(bad[i], strlen(bad[i]));
	assert_refused("{}\0", 3);
	assert_refused("1\0", 2);
	assert_refused("[1\0]", 4);
}

static void
test_line_parse_has_words_of_its_own_for_a_null_character(void **state)
{
	static const char	text[] = "{\"a\": \"\\u0000\"}";
	struct fault		why;
	struct place		place;
	json_t			*doc;

	(void)state;
	assert_int_equal(line_parse(text, sizeof text - 1, &doc, &place, &why), ST_BAD_REQUEST);
	assert_null(doc);
	assert_string_equal(why.text, "\\u0000 may be in no string");
}

static char *
nested(size_t depth)
{
	char	*text = malloc(2 * depth + 1);

	assert_non_null(text);
	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	text[2 * depth] = '\0';
	return text;
}

static void
test_line_parse_limits_nesting_but_not_brackets_in_strings(void **state)
{
	char		*deep = nested(API_MAX_NESTING);
	char		*deeper = nested(API_MAX_NESTING + 1);
	char		text[300] = "[\"\\\"";
	struct place	 place;
	struct fault	 why;
	json_t		*doc;

	(void)state;
	assert_int_equal(line_parse(deep, strlen(deep), &doc, &place, &why), ST_OK);
	json_decref(doc);
	assert_refused_at(deeper, 1, API_MAX_NESTING + 1, API_MAX_NESTING);
	memset(text + strlen(text), '[', 200);
	(void)snprintf(text + 204, sizeof text - 204, "\"]");
	assert_int_equal(line_parse(text, strlen(text), &doc, &place, &why), ST_OK);
	json_decref(doc);
	free(deep);
	free(deeper);
}

static void
test_line_parse_refuses_more_values_than_memory_is_meant_for(void **state)
{
	size_t		 n = API_MAX_WEIGHT / 4;
	char		*text = malloc(3 * n + 3);
	struct place	 place;
	struct fault	 why;
	json_t		*doc;

	(void)state;
	assert_non_null(text);
	text[0] = '[';
	for (size_t i = 0; i < n; i++)
		memcpy(text + 1 + 3 * i, "{},", 3);
	memcpy(text + 3 * n, "]", 2);
	assert_int_equal(line_parse(text, 3 * n + 1, &doc, &place, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "too many"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_line_comes_out_whole_however_its_bytes_came_in),
		cmocka_unit_test(test_line_gives_several_lines_of_one_read_and_keeps_the_half_one),
		cmocka_unit_test(test_line_of_exactly_the_limit_passes_and_one_more_byte_does_not),
		cmocka_unit_test(test_line_buffer_is_small_again_after_a_long_line),
		cmocka_unit_test(test_line_parse_says_where_a_text_is_wrong),
		cmocka_unit_test(test_line_parse_refuses_what_is_no_strict_json),
		cmocka_unit_test(test_line_parse_has_words_of_its_own_for_a_null_character),
		cmocka_unit_test(test_line_parse_limits_nesting_but_not_brackets_in_strings),
		cmocka_unit_test(test_line_parse_refuses_more_values_than_memory_is_meant_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

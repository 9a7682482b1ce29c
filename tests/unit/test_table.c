/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/print/csv.h"
#include "client/print/format.h"
#include "client/print/results/listing.h"
#include "client/print/results/results.h"
#include "client/print/results/row.h"
#include "client/print/style.h"
#include "client/print/table.h"
#include "proto/json/markdown.h"

static const struct table_column three[] = { { "name", false }, { "time", true }, { "why", false },
    { NULL, false } };

/* What table_print writes, owned. */
static char *
printed(const struct table *t, size_t columns)
{
	char	*text = NULL;
	size_t	 n = 0;
	FILE	*f = open_memstream(&text, &n);

	assert_non_null(f);
	table_print(t, f, columns);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void
assert_prints(const struct table_column *columns, const char *const (*rows)[3],
    size_t n, size_t width, const char *want)
{
	struct table	*t;
	struct fault	 why;
	char		*text;

	assert_int_equal(table_new(&t, columns, &why), ST_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(table_add(t, rows[i], &why), ST_OK);
	text = printed(t, width);
	assert_string_equal(text, want);
	free(text);
	table_free(t);
}

static void
test_table_puts_names_left_and_numbers_right(void **state)
{
	static const char *const	rows[][3] = { { "dot", "9 ns", "slow" },
	    { "dot_unrolled", "12.34 ns", "" } };

	(void)state;
	assert_prints(three, rows, 2, 0,
	    "name              time  why\n"
	    "dot               9 ns  slow\n"
	    "dot_unrolled  12.34 ns\n");
}

static void
test_table_leaves_out_a_column_with_nothing_in_it(void **state)
{
	static const char *const	rows[][3] = { { "a", "", NULL }, { "b", "", "x" } };

	(void)state;
	assert_prints(three, rows, 2, 0, "name  why\na\nb     x\n");
}

static void
test_table_without_rows_prints_nothing(void **state)
{
	(void)state;
	assert_prints(three, NULL, 0, 0, "");
}

static void
test_table_counts_columns_and_not_bytes(void **state)
{
	static const char *const	rows[][3] = { { "\xc2\xb5\xc2\xb5", "1", "" },
	    { "\xe6\x97\xa5", "2", "" }, { "abc", "3", "" } };

	(void)state;
	assert_prints(three, rows, 3, 0,
	    "name  time\n\xc2\xb5\xc2\xb5       1\n\xe6\x97\xa5       2\nabc      3\n");
}

static void
test_table_cuts_lines_to_the_terminal(void **state)
{
	static const char *const	rows[][3] = { { "dot", "9 ns", "a long story" } };

	(void)state;
	assert_prints(three, rows, 1, 16, "name  time  why\ndot   9 ns  a lo\n");
	assert_prints(three, rows, 1, 4, "name\ndot\n");
}

static void
test_table_defuses_control_characters(void **state)
{
	static const char *const	rows[][3] = { { "\033[2J", "1\n2", "\xc2\x9b\xff\ttab" } };

	(void)state;
	assert_prints(three, rows, 1, 0, "name  time  why\n?[2J   1 2  \\u009b? tab\n");
}

static void
test_table_shows_what_would_reorder_or_hide_text(void **state)
{
	static const char *const	rows[][3] = { { "a\xe2\x80\xae" "b\xe2\x81\xa6", "1",
	    "\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf" }, { "n\xe2\x80\x8d", "2", "joiner" } };

	(void)state;
	assert_prints(three, rows, 2, 0,
	    "name            time  why\n"
	    "a\\u202eb\\u2066     1  \\u200b\\u2028\\ufeff\n"
	    "n\xe2\x80\x8d                  2  joiner\n");
}

static void
test_format_durations_have_four_digits_and_a_fitting_unit(void **state)
{
	static const struct {
		double		 ns;
		const char	*text;
	} cases[] = {
		{ 0, "0 ns" }, { 0.123449, "0.1234 ns" }, { 0.99996, "1.000 ns" },
		{ 1.0, "1.000 ns" }, { 12.345678, "12.35 ns" }, { 999.94, "999.9 ns" },
		{ 999.96, "1.000 \xc2\xb5s" }, { 1234.5678, "1.235 \xc2\xb5s" },
		{ 99999, "100.0 \xc2\xb5s" }, { 1e6, "1.000 ms" }, { 1.5e9, "1.500 s" },
		{ 1.5e12, "1500 s" }, { -12.34, "-12.34 ns" }, { NAN, "-" }, { INFINITY, "-" },
	};
	char	buf[FORMAT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_string_equal(format_duration_ns(cases[i].ns, buf), cases[i].text);
}

static void
test_format_numbers_of_any_size_stay_in_their_buffer(void **state)
{
	static const double	 values[] = { 0, 1e-300, 1e15, 9.9999e300, -1e300, INFINITY, NAN };
	static char		*(*const format[])(double, char *) = { format_number,
	    format_duration_ns, format_percent, format_ratio, format_bytes, format_hz,
	    format_time };
	char			 buf[FORMAT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		for (size_t f = 0; f < sizeof format / sizeof format[0]; f++)
			assert_in_range(strlen(format[f](values[i], buf)), 1, FORMAT_BYTES - 1);
}

static void
test_format_says_numbers_as_people_do(void **state)
{
	char	buf[FORMAT_BYTES];

	(void)state;
	assert_string_equal(format_number(6074.4, buf), "6074");
	assert_string_equal(format_number(123456.7, buf), "123457");
	assert_string_equal(format_percent(0.0123, buf), "1.2 %");
	assert_string_equal(format_ratio(4.5, buf), "4.50x");
	assert_string_equal(format_ratio(1234.5, buf), "1234x");
	assert_string_equal(format_bytes(32768, buf), "32 KiB");
	assert_string_equal(format_bytes(1572864, buf), "1.5 MiB");
	assert_string_equal(format_hz(2.5e9, buf), "2.500 GHz");
}

static void
test_format_is_ascii_where_the_locale_is(void **state)
{
	char	buf[FORMAT_BYTES], name[] = "dot_\xc2\xb5";

	(void)state;
	assert_int_equal(setenv("LC_ALL", "C", 1), 0);
	format_init();
	assert_string_equal(format_duration_ns(1500, buf), "1.500 us");
	assert_string_equal(format_clean(name, false), "dot_??");
	assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
	format_init();
	assert_true(format_is_utf8());
}

/* A result as the daemon sends it. */
struct sent {
	json_t		*document;
	struct result	 of;
};

static struct sent
result_of(const char *text)
{
	struct sent	s = { .document = json_loads(text, 0, NULL) };
	struct fault	why;

	assert_non_null(s.document);
	assert_int_equal(results_read_one(&s.of, s.document, &why), ST_OK);
	return s;
}

static void
forget(struct sent *s)
{
	result_release(&s->of);
	json_decref(s->document);
}

static void
test_result_reads_what_is_there_and_marks_what_is_not(void **state)
{
	struct sent	whole = result_of("{\"job\":7,\"name\":\"u\",\"status\":\"ok\","
			    "\"sweep\":{\"id\":1,\"name\":\"s\"},"
			    "\"meta\":{\"UNROLL\":4,\"flags\":[\"-O3\",\"-g\"]},"
			    "\"time\":{\"value_ns\":2,\"min_ns\":2,\"cv\":0.5}}");
	struct sent	strange = result_of("{\"job\":\"x\",\"name\":7,\"time\":[],\"meta\":3,"
			    "\"status\":null}");
	struct sent	empty = result_of("{}");
	struct row	r;

	(void)state;
	assert_true(row_init(&r, &whole.of));
	assert_int_equal(r.job, 7);
	assert_string_equal(r.sweep, "s");
	assert_string_equal(r.point, "UNROLL=4 flags=-O3 -g");
	assert_true(r.value_ns == 2 && r.cv == 0.5 && isnan(r.median_ns) && isnan(r.mflops));
	row_release(&r);
	assert_true(row_init(&r, &empty.of));
	assert_int_equal(r.status, ST_INTERNAL);
	assert_true(isnan(r.value_ns));
	row_release(&r);
	assert_true(row_init(&r, &strange.of));
	assert_string_equal(r.name, "");
	row_release(&r);
	forget(&whole);
	forget(&empty);
	forget(&strange);
}

static void
test_result_does_not_repeat_a_point_that_names_the_variant(void **state)
{
	struct sent	s = result_of("{\"name\":\"u UNROLL=4 K=1\","
			    "\"meta\":{\"K\":1,\"UNROLL\":4,\"L\":2}}");
	struct row	r;

	(void)state;
	assert_true(row_init(&r, &s.of));
	assert_string_equal(r.point, "L=2");
	row_release(&r);
	forget(&s);
}

static void
test_result_has_no_documents_of_its_meta_in_its_point(void **state)
{
	struct sent	s = result_of("{\"name\":\"u\",\"meta\":{\"N\":4,\"guesses\":"
			    "[{\"member\":\"flops\"}],\"by\":{\"hand\":true}}}");
	struct row	r;

	(void)state;
	assert_true(row_init(&r, &s.of));
	assert_string_equal(r.point, "N=4");
	row_release(&r);
	forget(&s);
}

static void
test_result_notes_the_first_line_with_an_error(void **state)
{
	char	*line = row_first_error("v.c: In function 'f':\nv.c:3:1: error: "
		    "unknown type\nmore");

	(void)state;
	assert_string_equal(line, "v.c:3:1: error: unknown type");
	free(line);
	line = row_first_error("SIGSEGV in check");
	assert_string_equal(line, "SIGSEGV in check");
	free(line);
	line = row_first_error("\n  first\nsecond");
	assert_string_equal(line, "first");
	free(line);
	line = row_first_error("");
	assert_string_equal(line, "");
	free(line);
}

static struct listing *
listing_of(unsigned how, const char *const *words, size_t n)
{
	struct listing	*l;
	struct fault	 why;

	assert_int_equal(listing_new(&l, LISTING_TABLE, how, &why), ST_OK);
	for (size_t i = 0; i < n; i++) {
		json_t	*list = json_pack("[{s:i, s:s}]", "job", (int)(n - i), "status", words[i]);

		assert_int_equal(listing_add_all(l, list, &why), ST_OK);
		json_decref(list);
	}
	return l;
}

static void
test_listing_ends_with_the_code_of_the_first_that_failed(void **state)
{
	static const char *const	words[] = { "ok", "crashed", "ok", "build_failed" };
	struct listing			*l = listing_of(LISTING_BY_JOB | LISTING_SILENT, words, 4);
	char				 summary[64];
	struct fault			 why;

	(void)state;
	/* In the order of coming, and then in the order of jobs. */
	assert_int_equal(listing_exit_code(l), status_exit_code(ST_CRASHED));
	assert_int_equal(listing_end(l, NULL, &why), ST_OK);
	assert_int_equal(listing_exit_code(l), status_exit_code(ST_BUILD_FAILED));
	listing_put_summary(l, summary, sizeof summary);
	assert_string_equal(summary, "4 jobs: 2 ok, 1 build_failed, 1 crashed");
	listing_free(l);
}

static void
test_listing_refuses_what_is_no_result(void **state)
{
	struct listing	*l;
	struct fault	 why;
	json_t		*numbers = json_pack("[i]", 7);

	(void)state;
	assert_int_equal(listing_new(&l, LISTING_TABLE, LISTING_SILENT, &why), ST_OK);
	assert_int_equal(listing_add_all(l, NULL, &why), ST_IO);
	assert_int_equal(listing_add_all(l, numbers, &why), ST_IO);
	json_decref(numbers);
	assert_int_equal(listing_exit_code(l), 0);
	listing_free(l);
}

static void
test_csv_quotes_what_needs_it(void **state)
{
	struct sent	 s = result_of("{\"job\":1,\"name\":\"a,\\\"b\\\"\",\"status\":\"ok\","
			    "\"flags\":[\"-O3\"],\"detail\":\"x\\ny\"}");
	char		*text = NULL;
	size_t		 n = 0;
	FILE		*f = open_memstream(&text, &n);

	(void)state;
	csv_put_result(f, &s.of, false);
	assert_int_equal(fclose(f), 0);
	assert_non_null(strstr(text, "1,,\"a,\"\"b\"\"\",,ok,"));
	assert_non_null(strstr(text, ",\"[\"\"-O3\"\"]\","));
	assert_non_null(strstr(text, ",\"x\ny\""));
	free(text);
	forget(&s);
}

static void
test_csv_and_markdown_show_what_would_reorder_or_hide_text(void **state)
{
	struct sent	 s = result_of("{\"job\":1,\"name\":\"a\\u202eb\",\"status\":\"ok\","
			    "\"detail\":\"\\ufeff=1\"}");
	char		*text = NULL;
	size_t		 n = 0;
	FILE		*f = open_memstream(&text, &n);
	struct text	 line = { .at = NULL };

	(void)state;
	csv_put_result(f, &s.of, false);
	assert_int_equal(fclose(f), 0);
	assert_non_null(strstr(text, "1,,a\\u202eb,,ok,"));
	assert_non_null(strstr(text, ",\\ufeff=1"));
	free(text);
	forget(&s);
	markdown_put(&line, "|a\xe2\x80\xae*\xc2\x85");
	text = text_take(&line);
	assert_string_equal(text, "&#124;a\\\\u202e\\*\\\\u0085");
	free(text);
}

static void
test_table_in_markdown_escapes_what_would_be_markup(void **state)
{
	static const char *const	rows[][3] = { { "a|b<i>_x_", "9 ns", "" },
	    { "dot_plain", "", "*why* `now` [x](y) a\\b &lt; ~~c~~" } };
	struct fault			why;

	(void)state;
	assert_int_equal(style_init(NULL, true, &why), ST_OK);
	assert_prints(three, rows, 2, 10,
	    "| name | time | why |\n"
	    "| :-- | --: | :-- |\n"
	    "| a&#124;b&#60;i&#62;\\_x\\_ | 9 ns |  |\n"
	    "| dot_plain |  | \\*why\\* &#96;now&#96; \\[x\\]\\(y\\) a\\\\b &#38;lt; "
	    "\\~\\~c\\~\\~ |\n\n");
	assert_int_equal(style_init(NULL, false, &why), ST_OK);
}

static void
test_table_is_coloured_only_where_it_is_asked_for(void **state)
{
	static const struct table_column	columns[] = { { "status", false }, { "n", true },
	    { "name", false }, { NULL, false } };
	static const char *const		rows[][3] = { { "ok", "1", "ok" }, { "crashed", "12", "" } };
	struct fault				why;

	(void)state;
	assert_prints(columns, rows, 2, 0, "status    n  name\nok        1  ok\ncrashed  12\n");
	assert_int_equal(style_init("always", false, &why), ST_OK);
	assert_prints(columns, rows, 2, 0,
	    "\033[1mstatus\033[0m    \033[1mn\033[0m  \033[1mname\033[0m\n"
	    "\033[36mok\033[0m        1  ok\n"
	    "\033[1;31mcrashed\033[0m  12\n");
	assert_int_equal(style_init("never", false, &why), ST_OK);
	assert_prints(columns, rows, 2, 0, "status    n  name\nok        1  ok\ncrashed  12\n");
	assert_int_equal(style_init("often", false, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--color");
	assert_int_equal(style_init(NULL, false, &why), ST_OK);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_table_puts_names_left_and_numbers_right),
		cmocka_unit_test(test_table_leaves_out_a_column_with_nothing_in_it),
		cmocka_unit_test(test_table_without_rows_prints_nothing),
		cmocka_unit_test(test_table_counts_columns_and_not_bytes),
		cmocka_unit_test(test_table_cuts_lines_to_the_terminal),
		cmocka_unit_test(test_table_defuses_control_characters),
		cmocka_unit_test(test_table_shows_what_would_reorder_or_hide_text),
		cmocka_unit_test(test_table_in_markdown_escapes_what_would_be_markup),
		cmocka_unit_test(test_table_is_coloured_only_where_it_is_asked_for),
		cmocka_unit_test(test_format_durations_have_four_digits_and_a_fitting_unit),
		cmocka_unit_test(test_format_numbers_of_any_size_stay_in_their_buffer),
		cmocka_unit_test(test_format_says_numbers_as_people_do),
		cmocka_unit_test(test_format_is_ascii_where_the_locale_is),
		cmocka_unit_test(test_result_reads_what_is_there_and_marks_what_is_not),
		cmocka_unit_test(test_result_does_not_repeat_a_point_that_names_the_variant),
		cmocka_unit_test(test_result_has_no_documents_of_its_meta_in_its_point),
		cmocka_unit_test(test_result_notes_the_first_line_with_an_error),
		cmocka_unit_test(test_listing_ends_with_the_code_of_the_first_that_failed),
		cmocka_unit_test(test_listing_refuses_what_is_no_result),
		cmocka_unit_test(test_csv_quotes_what_needs_it),
		cmocka_unit_test(test_csv_and_markdown_show_what_would_reorder_or_hide_text),
	};

	(void)setenv("LC_ALL", "C.UTF-8", 1);
	format_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/print/results/entry.h"

enum { INDENT = 2, LABEL = 8 };

/* A page in memory. */
struct memory {
	struct page	 page;
	char		*text;
	size_t		 bytes;
};

static void
open_page(struct memory *m, size_t columns)
{
	FILE	*to = open_memstream(&m->text, &m->bytes);

	assert_non_null(to);
	page_init(&m->page, to, columns, INDENT, LABEL);
}

static void
assert_page_is(struct memory *m, const char *expected)
{
	assert_int_equal(fclose(m->page.to), 0);
	assert_string_equal(m->text, expected);
	free(m->text);
}

static void
test_entry_without_a_part_prints_nothing(void **state)
{
	struct memory	m;
	struct entry	e;

	(void)state;
	open_page(&m, 0);
	entry_begin(&e, &m.page, "label");
	entry_end(&e);
	assert_page_is(&m, "");
}

static void
test_entry_joins_its_parts_by_comma_and_semicolon(void **state)
{
	struct memory	m;
	struct entry	e;

	(void)state;
	open_page(&m, 0);
	entry_begin(&e, &m.page, "label");
	entry_clause(&e, "%d", 1);
	entry_append(&e, " to %d", 2);
	entry_add(&e, "three");
	entry_clause(&e, "four");
	entry_end(&e);
	assert_page_is(&m, "  label   1 to 2, three; four\n");
}

static void
test_entry_wraps_below_itself_and_keeps_a_number_with_its_unit(void **state)
{
	struct memory	m;

	(void)state;
	open_page(&m, 34);
	entry_put(&m.page, "label", "one two three four 404.3 ns five");
	assert_page_is(&m,
	    "  label   one two three four\n"
	    "          404.3 ns five\n");
}

static void
test_entry_leaves_a_word_that_is_wider_than_the_page_whole(void **state)
{
	struct memory	m;

	(void)state;
	open_page(&m, 34);
	entry_put(&m.page, "label", "a abcdefghijklmnopqrstuvwxyzabcdefghijklmn b");
	assert_page_is(&m,
	    "  label   a\n"
	    "          abcdefghijklmnopqrstuvwxyzabcdefghijklmn\n"
	    "          b\n");
}

static void
test_entry_cuts_what_is_too_long_and_defuses_control_characters(void **state)
{
	struct memory	m;
	struct entry	e;

	(void)state;
	open_page(&m, 0);
	entry_begin(&e, &m.page, "label");
	for (unsigned i = 0; i < ENTRY_BYTES; i++)
		entry_add(&e, "\x1b");
	assert_true(e.used < sizeof e.text);
	assert_int_equal(strlen(e.text), e.used);
	entry_end(&e);
	assert_int_equal(fclose(m.page.to), 0);
	assert_null(strchr(m.text, '\x1b'));
	free(m.text);
}

static void
test_page_is_as_wide_as_the_terminal_but_at_most_100_columns(void **state)
{
	struct page	p;

	(void)state;
	page_init(&p, NULL, 80, INDENT, LABEL);
	assert_int_equal(p.columns, 80);
	page_init(&p, NULL, 200, INDENT, LABEL);
	assert_int_equal(p.columns, 100);
	page_init(&p, NULL, 0, INDENT, LABEL);
	assert_int_equal(p.columns, 100);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_entry_without_a_part_prints_nothing),
		cmocka_unit_test(test_entry_joins_its_parts_by_comma_and_semicolon),
		cmocka_unit_test(test_entry_wraps_below_itself_and_keeps_a_number_with_its_unit),
		cmocka_unit_test(test_entry_leaves_a_word_that_is_wider_than_the_page_whole),
		cmocka_unit_test(test_entry_cuts_what_is_too_long_and_defuses_control_characters),
		cmocka_unit_test(test_page_is_as_wide_as_the_terminal_but_at_most_100_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

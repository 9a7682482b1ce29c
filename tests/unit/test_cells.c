/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/print/results/cells_table.h"
#include "tests/support/rows.h"

enum { PAGE = 4000 };

static char	page[PAGE];

/* A result of `ns` ± 1 in a cell. */
static void
add(const char *name, int size, const char *context, double ns, const char *status)
{
	char	text[900];

	(void)snprintf(text, sizeof text, "{\"job\": %zu, \"name\": \"%s N=%d context=%s\", "
	    "\"routine\": \"f\", \"spec_hash\": \"%d%s\", \"status\": \"%s\", \"params\": "
	    "{\"N\": %d, \"K\": 3}, \"meta\": {\"N\": %d, \"context\": \"%s\"}, \"check\": {"
	    "\"passed\": true}, \"detail\": \"it broke\", \"time\": {\"estimator\": \"median\", "
	    "\"value_ns\": %g, \"median_ns\": %g, \"ci95_ns\": [%g, %g]}}", n, name, size, context,
	    size, context, status, size, size, context, ns, ns, ns - 1, ns + 1);
	rows_add(text);
}

static struct cells
cells(void)
{
	struct cells	c;

	assert_int_equal(cells_init(&c, at, n, NULL), ST_OK);
	return c;
}

typedef void	 print_fn(const struct cells *, FILE *, size_t, double);

static const char *
printed(const struct cells *c, print_fn *print, size_t columns, double noise)
{
	FILE	*to = fmemopen(page, sizeof page, "w");

	assert_non_null(to);
	print(c, to, columns, noise);
	(void)fputc('\0', to);
	(void)fclose(to);
	return page;
}

static bool	fitted;

static void
print_matrix(const struct cells *c, FILE *to, size_t columns, double noise)
{
	fitted = cells_print_matrix(c, to, columns, noise);
}

static void
two_cells(void)
{
	add("a", 10, "cold", 100, "ok");
	add("b", 10, "cold", 50, "ok");
	add("c", 10, "cold", 0, "crashed");
	add("a", 500, "cold", 200, "ok");
	add("b", 500, "cold", 400, "ok");
	add("c", 500, "cold", 201, "ok");
}

static void
test_cells_have_a_line_each_with_its_own_winner(void **state)
{
	struct cells	c;

	(void)state;
	two_cells();
	c = cells();
	assert_string_equal(printed(&c, print_matrix, 80, 0),
	    "  N         a         b         c  fastest  speed-up\n"
	    " 10  100.0 ns  50.00 ns   crashed  b           2.00x\n"
	    "500  200.0 ns  400.0 ns  201.0 ns  a or c\n");
	assert_true(fitted);
	cells_release(&c);
}

static void
test_cells_noise_makes_ties(void **state)
{
	struct cells	c;

	(void)state;
	add("a", 1, "cold", 100, "ok");
	add("b", 1, "cold", 110, "ok");
	add("a", 2, "cold", 100, "ok");
	add("b", 2, "cold", 130, "ok");
	c = cells();
	assert_non_null(strstr(printed(&c, print_matrix, 0, 0.2), "110.0 ns  a or b\n"));
	assert_non_null(strstr(printed(&c, cells_print_words, 80, 0.2), "a is fastest in 1 of 2 "
	    "cells; in 1 of 2 the fastest cannot"));
	assert_non_null(strstr(page, "differences below 20.0 %"));
	assert_non_null(strstr(printed(&c, cells_print_words, 80, NAN), "a is fastest in 2 of 2 "
	    "cells."));
	cells_release(&c);
}

static void
test_cells_are_told_apart_by_what_differs_in_them_alone(void **state)
{
	struct cells	c;

	(void)state;
	add("a", 7, "cold", 100, "ok");
	add("a", 7, "warm", 50, "ok");
	c = cells();
	assert_int_equal(c.n, 2);
	assert_int_equal(c.nkeys, 1);
	assert_string_equal(c.keys[0], "context");
	assert_int_equal(c.nvariants, 1);
	assert_string_equal(c.variants[0], "a");
	assert_string_equal(printed(&c, print_matrix, 80, 0),
	    "context         a\ncold     100.0 ns\nwarm     50.00 ns\n");
	cells_release(&c);
}

static void
test_cells_what_does_not_fit_is_no_matrix(void **state)
{
	struct cells	c;

	(void)state;
	two_cells();
	c = cells();
	(void)printed(&c, print_matrix, 50, 0);
	assert_false(fitted);
	assert_string_equal(page, "");
	assert_string_equal(printed(&c, cells_print_winners, 80, 0),
	    "  N      time  fastest  speed-up\n"
	    " 10  50.00 ns  b           2.00x\n"
	    "500  200.0 ns  a or c\n");
	cells_release(&c);
	add("a", 10, "cold", 90, "ok");			/* twice in one cell */
	c = cells();
	(void)printed(&c, print_matrix, 0, 0);
	assert_false(fitted);
	cells_release(&c);
}

static void
test_cells_many_variants_are_no_matrix_either(void **state)
{
	struct cells	c;
	char		name[8];

	(void)state;
	for (int v = 0; v < 30; v++) {
		(void)snprintf(name, sizeof name, "v%d", v);
		add(name, 1 + v % 2, "cold", 100 + v, "ok");
	}
	c = cells();
	(void)printed(&c, print_matrix, 0, 0);
	assert_false(fitted);
	assert_int_equal(c.at[0].n, 15);
	cells_release(&c);
}

static void
test_cells_a_note_stands_once_with_the_variants_that_have_it(void **state)
{
	struct cells	c;

	(void)state;
	two_cells();
	c = cells();
	(void)printed(&c, cells_print_words, 80, NAN);
	assert_non_null(strstr(page, "a, b, c: not checked.\n"));
	assert_non_null(strstr(page, "c: it broke.\n"));
	cells_release(&c);
}

static void
test_cells_without_a_time_have_no_winner(void **state)
{
	struct cells	c;

	(void)state;
	add("a", 1, "cold", 100, "crashed");
	add("b", 1, "cold", 100, "crashed");
	add("a", 2, "cold", 100, "ok");
	add("b", 2, "cold", 50, "ok");
	c = cells();
	assert_string_equal(printed(&c, print_matrix, 80, 0),
	    "N         a         b  fastest  speed-up\n"
	    "1   crashed   crashed  none\n"
	    "2  100.0 ns  50.00 ns  b           2.00x\n");
	cells_release(&c);
}

static void
test_cells_are_in_the_document_too(void **state)
{
	struct cells	 c;
	json_t		*doc, *want = json_loads("{\"cells\": ["
			    "{\"cell\": {\"N\": 10}, \"jobs\": [1, 0, 2], \"fastest\": 1, "
			    "\"tied\": []}, {\"cell\": {\"N\": 500}, \"jobs\": [3, 5, 4], "
			    "\"fastest\": 3, \"tied\": [5]}], \"axes\": {\"cells\": [\"N\"], "
			    "\"variants\": [\"a\", \"b\", \"c\"]}}", 0, NULL);

	(void)state;
	two_cells();
	c = cells();
	assert_non_null(doc = cells_json(&c, 0));
	assert_true(json_equal(doc, want));
	json_decref(doc);
	json_decref(want);
	cells_release(&c);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_teardown(test_cells_have_a_line_each_with_its_own_winner, rows_forget),
		cmocka_unit_test_teardown(test_cells_noise_makes_ties, rows_forget),
		cmocka_unit_test_teardown(
		    test_cells_are_told_apart_by_what_differs_in_them_alone, rows_forget),
		cmocka_unit_test_teardown(test_cells_what_does_not_fit_is_no_matrix, rows_forget),
		cmocka_unit_test_teardown(test_cells_many_variants_are_no_matrix_either, rows_forget),
		cmocka_unit_test_teardown(
		    test_cells_a_note_stands_once_with_the_variants_that_have_it, rows_forget),
		cmocka_unit_test_teardown(test_cells_without_a_time_have_no_winner, rows_forget),
		cmocka_unit_test_teardown(test_cells_are_in_the_document_too, rows_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

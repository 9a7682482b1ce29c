/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/derive/poly.h"

static void
assert_text(struct poly p, const char *want)
{
	char	text[POLY_TEXT_BYTES];

	assert_true(p.is_known);
	poly_text(&p, text);
	assert_string_equal(text, want);
}

/* (N - 1) * lda + M */
static struct poly
matrix(void)
{
	struct poly	n = poly_sum(poly_name("N"), poly_number(1), -1);

	return poly_sum(poly_product(n, poly_name("lda")), poly_name("M"), 1);
}

static void
test_poly_products_are_sorted_and_equal_terms_are_one(void **state)
{
	struct poly	mn = poly_product(poly_name("N"), poly_name("M"));
	struct poly	nm = poly_product(poly_name("M"), poly_name("N"));

	(void)state;
	assert_text(poly_sum(mn, nm, 1), "2*M*N");
	assert_text(poly_sum(mn, nm, -1), "0");
	assert_text(matrix(), "N*lda-lda+M");
	assert_text(poly_sum(poly_number(3), poly_name("N"), -2), "-2*N+3");
}

static void
test_poly_a_name_is_replaced_in_every_product(void **state)
{
	struct poly	with = poly_part(matrix(), "lda", true);

	(void)state;
	assert_text(poly_with(matrix(), "lda", poly_name("M")), "M*N");
	assert_text(with, "N*lda-lda");
	assert_text(poly_part(matrix(), "lda", false), "M");
	assert_text(poly_with(matrix(), "N", poly_number(1)), "M");
}

static void
test_poly_sums_over_a_range_are_faulhabers(void **state)
{
	struct poly	i = poly_name("i"), n = poly_name("n"), one = poly_number(1), p = one;
	long long	divisor = 1;

	(void)state;
	assert_text(poly_sum_over(one, "i", one, n, &divisor), "n");
	assert_int_equal(divisor, 1);
	assert_text(poly_sum_over(i, "i", one, n, &divisor), "n*n+n");
	assert_int_equal(divisor, 2);
	divisor = 1;
	p = poly_product(i, i);
	assert_text(poly_sum_over(p, "i", one, n, &divisor), "2*n*n*n+3*n*n+n");
	assert_int_equal(divisor, 6);
	divisor = 1;
	p = poly_sum_over(poly_product(p, i), "i", poly_number(0), poly_number(10), &divisor);
	assert_text(p, "3025");
	assert_int_equal(divisor, 1);
}

static void
test_poly_sums_that_are_not_understood_are_unknown(void **state)
{
	struct poly	i = poly_name("i"), i2 = poly_product(i, i), one = poly_number(1);
	long long	divisor = 1;

	(void)state;
	assert_false(poly_sum_over(poly_product(i2, i2), "i", one, i, &divisor).is_known);
	assert_false(poly_sum_over(poly_name("(i/2)"), "i", one, i, &divisor).is_known);
	assert_false(poly_sum_over(one, "i", poly_unknown(), i, &divisor).is_known);
}

static void
test_poly_the_larger_is_found_or_left_to_max(void **state)
{
	struct poly	n = poly_name("N"), more = poly_sum(n, poly_number(2), 1);

	(void)state;
	assert_text(poly_larger(n, more), "N+2");
	assert_text(poly_larger(more, n), "N+2");
	assert_text(poly_larger(n, poly_name("M")), "max(N,M)");
	assert_text(poly_larger(poly_number(1), n), "N");
}

static void
test_poly_what_does_not_fit_is_unknown(void **state)
{
	struct poly	big = poly_number(INT64_MAX), many = poly_number(0);
	char		name[8];

	(void)state;
	assert_false(poly_sum(big, big, 1).is_known);
	assert_false(poly_product(big, poly_number(2)).is_known);
	assert_false(poly_sum(poly_unknown(), big, 1).is_known);
	assert_false(poly_product(big, poly_unknown()).is_known);
	for (int i = 0; i <= POLY_TERMS; i++) {
		(void)snprintf(name, sizeof name, "x%d", i);
		many = poly_sum(many, poly_name(name), 1);
	}
	assert_false(many.is_known);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_poly_products_are_sorted_and_equal_terms_are_one),
		cmocka_unit_test(test_poly_a_name_is_replaced_in_every_product),
		cmocka_unit_test(test_poly_sums_over_a_range_are_faulhabers),
		cmocka_unit_test(test_poly_sums_that_are_not_understood_are_unknown),
		cmocka_unit_test(test_poly_the_larger_is_found_or_left_to_max),
		cmocka_unit_test(test_poly_what_does_not_fit_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

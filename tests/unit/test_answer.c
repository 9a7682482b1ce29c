/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/check/answer.h"

static struct answer
compare(enum ctype type, const void *got, const void *want, uint64_t n, double rtol, double atol)
{
	struct answer	c = { .rtol = rtol, .atol = atol };

	answer_elements(&c, "y", type, got, want, n);
	return c;
}

static void
test_answer_equal_bytes_are_right(void **state)
{
	static double		x[3000];
	struct answer	c;
	struct fault		why;

	(void)state;
	for (int i = 0; i < 3000; i++)
		x[i] = i * 0.3;
	c = compare(CTYPE_DOUBLE, x, x, 3000, 0, 0);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(c.compared, 3000);
	assert_int_equal(answer_verdict(&c, &why), ST_OK);
}

static void
test_answer_the_first_wrong_element_is_named_and_all_are_counted(void **state)
{
	static double		want[3000], got[3000];
	struct answer	c;
	struct fault		why;

	(void)state;
	for (int i = 0; i < 3000; i++)
		want[i] = got[i] = i + 1;
	got[2000] += 1;
	got[1234] += 0.5;
	got[2999] -= 3;
	c = compare(CTYPE_DOUBLE, got, want, 3000, 1e-9, 0);
	assert_int_equal(c.wrong, 3);
	assert_int_equal(c.bad_index, 1234);
	assert_true(c.got.re == 1235.5L && c.want.re == 1235);
	assert_true(c.max_abs == 3);
	assert_true(fabsl(c.max_rel - 3.0L / 3000) < 1e-12L);
	assert_int_equal(answer_verdict(&c, &why), ST_WRONG_ANSWER);
	assert_non_null(strstr(why.text, "y[1234] is 1235.5, the reference's is 1235; 3 of 3000"));
}

static void
test_answer_tolerances_are_atol_plus_rtol_times_the_reference(void **state)
{
	const double	want[] = { 100, 0 }, near[] = { 100.1, 0.001 }, far[] = { 100.2, 0.001 };

	(void)state;
	assert_int_equal(compare(CTYPE_DOUBLE, near, want, 2, 1e-3, 0.0011).wrong, 0);
	assert_int_equal(compare(CTYPE_DOUBLE, far, want, 2, 1e-3, 0.0011).wrong, 1);
	assert_int_equal(compare(CTYPE_DOUBLE, near, want, 2, 1e-2, 0).wrong, 1);
	assert_int_equal(compare(CTYPE_DOUBLE, near, want, 2, 0, 0.2).wrong, 0);
}

static void
test_answer_what_is_not_finite_where_the_reference_is_has_its_own_word(void **state)
{
	const double		want[] = { 1, 2, 3 };
	const double		nan_[] = { 1, NAN, 3 };
	const double		inf[] = { 1, 2, -INFINITY };
	struct answer	c;
	struct fault		why;
	char			line[1280];

	(void)state;
	c = compare(CTYPE_DOUBLE, nan_, want, 3, 1, 1);
	assert_int_equal(answer_verdict(&c, &why), ST_NOT_FINITE);
	assert_int_equal(c.bad_index, 1);
	assert_non_null(strstr(fault_line(&why, line, sizeof line), "y[1] is nan"));
	c = compare(CTYPE_DOUBLE, inf, want, 3, 1, 1);
	assert_int_equal(answer_verdict(&c, &why), ST_NOT_FINITE);
	assert_int_equal(c.bad_index, 2);
}

static void
test_answer_nan_equals_nan_and_infinities_of_one_sign_are_equal(void **state)
{
	const double	want[] = { NAN, INFINITY, -INFINITY };
	const double	same[] = { -NAN, INFINITY, -INFINITY };
	const double	other[] = { NAN, -INFINITY, -INFINITY };
	const double	finite[] = { 1, INFINITY, -INFINITY };

	(void)state;
	assert_int_equal(compare(CTYPE_DOUBLE, same, want, 3, 0, 0).wrong, 0);
	assert_int_equal(compare(CTYPE_DOUBLE, other, want, 3, 0, 0).wrong, 1);
	assert_false(compare(CTYPE_DOUBLE, finite, want, 3, 0, 0).not_finite);
	assert_int_equal(compare(CTYPE_DOUBLE, finite, want, 3, 0, 0).wrong, 1);
}

static void
test_answer_integers_of_every_size_are_exact(void **state)
{
	const uint64_t		wu[] = { UINT64_MAX }, gu[] = { UINT64_MAX - 1 };
	const int8_t		w1[] = { -128 }, g1[] = { 127 };
	const unsigned short	w2[] = { 65535 }, g2[] = { 0 };
	const int		w4[] = { INT32_MIN }, g4[] = { INT32_MAX };
	struct answer	c;
	struct fault		why;

	(void)state;
	c = compare(CTYPE_ULONG, gu, wu, 1, 0, 0);
	assert_true(c.wrong == 1 && c.max_abs == 1);
	assert_int_equal(answer_verdict(&c, &why), ST_WRONG_ANSWER);
	assert_non_null(strstr(why.text,
	    "18446744073709551614, the reference's is 18446744073709551615"));
	assert_true(compare(CTYPE_SCHAR, g1, w1, 1, 0, 0).max_abs == 255);
	assert_true(compare(CTYPE_USHORT, g2, w2, 1, 0, 0).max_abs == 65535);
	assert_true(compare(CTYPE_INT, g4, w4, 1, 0, 0).max_abs == 4294967295.0L);
	assert_int_equal(compare(CTYPE_INT, g4, w4, 1, 0, 5e9).wrong, 0);
}

static void
test_answer_floats_long_doubles_and_complex_numbers(void **state)
{
	const float		wf[] = { 1.5f }, gf[] = { 1.25f };
	const long double	wl[] = { 1 }, gl[] = { 1 + 0x1p-60L };
	const double complex	wc[] = { 3 + 4 * I }, gc[] = { 3 + 3 * I };

	(void)state;
	assert_true(compare(CTYPE_FLOAT, gf, wf, 1, 0, 0).max_abs == 0.25L);
	assert_true(compare(CTYPE_LDOUBLE, gl, wl, 1, 0, 0).max_abs == 0x1p-60L);
	assert_true(compare(CTYPE_CDOUBLE, gc, wc, 1, 0, 0).max_abs == 1);
	assert_true(fabsl(compare(CTYPE_CDOUBLE, gc, wc, 1, 0, 0).max_rel - 0.2L) < 1e-15L);
	assert_int_equal(compare(CTYPE_CDOUBLE, gc, wc, 1, 0.21, 0).wrong, 0);
}

static void
test_answer_outputs_are_the_result_and_what_is_written_each_from_64_bytes_on(void **state)
{
	struct job		 job;
	static char		 got[64 + 192 + 64], want[sizeof got];
	struct answer	 c = { .rtol = 0 };

	(void)state;
	support_spec_job(&job,
	    "{'routine': 'int f(const int *a, double *y, int *z)', 'params': {'n': 20}, 'args': {"
	    "'a': {'dims': ['n']}, 'y': {'dims': ['n']}, 'z': {'dims': [3], 'access': 'out'}}}");
	assert_int_equal(answer_output_bytes(&job.spec), sizeof got);
	answer_outputs(&c, &job.spec, got, want);
	assert_int_equal(c.compared, 1 + 20 + 3);
	assert_int_equal(c.wrong, 0);

	got[64 + 192 + 2 * 4] = 1;
	answer_outputs(&c, &job.spec, got, want);
	assert_string_equal(c.bad_operand, "z");
	assert_int_equal(c.bad_index, 2);
	memset(&c, 0, sizeof c);
	got[0] = 5;
	answer_outputs(&c, &job.spec, got, want);
	assert_string_equal(c.bad_operand, "return");
	assert_int_equal(c.wrong, 2);
	job_release(&job);
}

static void
test_answer_numbers_that_json_lacks_are_reported_in_words(void **state)
{
	const double		want[] = { 1 }, got[] = { NAN }, near[] = { 1.5 };
	struct answer		c = compare(CTYPE_DOUBLE, got, want, 1, 0.5, 0.25);
	char			got_words[ANSWER_WORDS], want_words[ANSWER_WORDS];
	struct check_report	r;

	(void)state;
	answer_report(&c, got_words, want_words, &r);
	assert_true(r.done && !r.passed && r.has_first_bad);
	assert_string_equal(r.first_bad.got.words, "nan");
	assert_null(r.first_bad.want.words);
	assert_true(r.first_bad.want.re == 1);
	assert_int_equal(r.first_bad.index, 0);
	assert_true(r.rtol == 0.5);

	c = compare(CTYPE_DOUBLE, near, want, 1, 1, 0);
	answer_report(&c, got_words, want_words, &r);
	assert_true(r.passed && !r.has_first_bad);
	assert_true(r.max_abs == 0.5);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_answer_equal_bytes_are_right),
		cmocka_unit_test(test_answer_the_first_wrong_element_is_named_and_all_are_counted),
		cmocka_unit_test(test_answer_tolerances_are_atol_plus_rtol_times_the_reference),
		cmocka_unit_test(test_answer_what_is_not_finite_where_the_reference_is_has_its_own_word),
		cmocka_unit_test(test_answer_nan_equals_nan_and_infinities_of_one_sign_are_equal),
		cmocka_unit_test(test_answer_integers_of_every_size_are_exact),
		cmocka_unit_test(test_answer_floats_long_doubles_and_complex_numbers),
		cmocka_unit_test(test_answer_outputs_are_the_result_and_what_is_written_each_from_64_bytes_on),
		cmocka_unit_test(test_answer_numbers_that_json_lacks_are_reported_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

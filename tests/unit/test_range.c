/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RangeGuard from the spec to the driver that is timed, and what is said about numbers that left
 * their range.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "tests/support/driver.h"
#include "worker/evidence/range.h"
#include "worker/runner/sample/census.h"

enum { MILLION = 1000000, N = 4 };

#define AXPY(guard) \
	"{'routine': 'void axpy(int n, double alpha, const double *x, double *y)', 'params': {'N': 4}," \
	"'args': {'n': 'N', 'alpha': '0.5 + 1.5', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'context': 'warm'," \
	"'timing': {'range_guard': " guard "}}"
#define DOT(guard) \
	"{'routine': 'double dot(int n, const double *x, const double *y)', 'params': {'N': 4}," \
	"'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'context': 'warm'," \
	"'timing': {'range_guard': " guard "}}"

static unsigned	calls_seen;

static void
axpy(int n, double alpha, const double *x, double *y)
{
	calls_seen++;
	for (int i = 0; i < n; i++)
		y[i] += alpha * x[i];
}

static double
dot(int n, const double *x, const double *y)
{
	double	sum = 0;

	calls_seen++;
	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static struct runner_census
census_of(const double *at, size_t n)
{
	struct runner_census	c = { 0, 0, 0, 0, 0 };

	rt_census('f', sizeof *at, at, n, 1, &c);
	return c;
}

static void
assert_in_order(const double *at, size_t n)
{
	struct runner_census	c = census_of(at, n);

	assert_int_equal(c.finite, n);
	assert_int_equal(c.inf + c.nan + c.denormal, 0);
}

/* ---- a million calls ---- */

static double
after_a_million(const char *spec, bool *stayed)
{
	const struct rt_driver	*d = support_load_driver(spec, NULL);
	double			 x[N], minus[N], y[N];
	void			*at[] = { x, y, minus };

	for (int i = 0; i < N; i++) {
		x[i] = 1e304;
		minus[i] = -1e304;
		y[i] = 1e300;
	}
	calls_seen = 0;
	for (int sample = 0; sample < 1000; sample++) {
		if (d->rt_turn != NULL)
			*d->rt_turn = calls_seen % 2;
		d->rt_repeat((rt_code *)axpy, at, sample % 2 == 0 ? 999 : 1001);
	}
	assert_int_equal(calls_seen, MILLION);
	*stayed = census_of(y, N).finite == N;
	return y[0];
}

static void
test_range_W44_W48_a_million_calls_of_alternating_sign_leave_no_inf_nan_or_denormal(void **state)
{
	bool	stayed;

	(void)state;
	assert_true(isinf(after_a_million(AXPY("'none'"), &stayed)));
	assert_false(stayed);
	assert_true(fabs(after_a_million(AXPY("'alternate'"), &stayed) / 1e300 - 1) < 1e-10);
	assert_true(stayed);
	assert_true(fabs(after_a_million(AXPY("{'alternate': 'alpha'}"),
	    &stayed) / 1e300 - 1) < 1e-10);
	assert_true(stayed);
}

static void
test_range_W45_W48_a_million_calls_on_a_negated_pair_leave_no_inf_nan_or_denormal(void **state)
{
	bool	stayed;

	(void)state;
	assert_true(fabs(after_a_million(AXPY("{'pair': 'x'}"), &stayed) / 1e300 - 1) < 1e-10);
	assert_true(stayed);
}

static void
test_range_W44_results_are_summed_with_alternating_sign(void **state)
{
	const struct rt_driver	*d = support_load_driver(DOT("'alternate'"), NULL);
	double			 x[N] = { 1e152, 1, 1, 1 }, y[N] = { 1e152, 1, 1, 1 }, sum;
	void			*at[] = { x, y };

	(void)state;
	calls_seen = 0;
	d->rt_repeat((rt_code *)dot, at, MILLION);		/* a million times 1e304 would be
								 * infinite */
	assert_int_equal(calls_seen, MILLION);
	assert_true(*(const volatile double *)d->rt_result == 0);
	d->rt_repeat((rt_code *)dot, at, 3);
	sum = *(const volatile double *)d->rt_result;
	assert_in_order(&sum, 1);
	assert_true(sum == dot(N, x, y));
	d->rt_call((rt_code *)dot, at);				/* what is checked is the result as
								 * it is */
	assert_true(*(const volatile double *)d->rt_result == sum);
}

/* ---- walks: the sign turns when all sets have had their turn ---- */

enum { SETS = 3 };

static void
walk_twice(const char *spec, double y[SETS])
{
	static const rt_u32	 walk[2 * SETS] = { 2, 1, 0, 2 | RT_TURNED,
				    1 | RT_TURNED, RT_TURNED };
	const struct rt_driver	*d = support_load_driver(spec, NULL);
	double			 x[SETS][2 * N];		/* each set with its negated copy */
	double			 out[SETS][N];
	void			*at[] = { x[0], out[0], &x[0][N] };
	const rt_u64		 step[] = { sizeof x[0], sizeof out[0] };

	for (int s = 0; s < SETS; s++)
		for (int i = 0; i < N; i++) {
			x[s][i] = s + 1;
			x[s][N + i] = -(s + 1);
			out[s][i] = 0;
		}
	d->rt_rotate((rt_code *)axpy, at, step, walk, SETS);
	for (int s = 0; s < SETS; s++)
		y[s] = out[s][0];
	d->rt_rotate((rt_code *)axpy, at, step, walk + SETS, SETS);
	for (int s = 0; s < SETS; s++)
		assert_true(out[s][N - 1] == 0);
}

static void
test_range_W44_W45_what_a_traversal_of_the_sets_adds_the_next_takes_away(void **state)
{
	static const char *const	guards[] = { AXPY("{'alternate': 'alpha'}"),
	    AXPY("{'pair': 'x'}") };
	double				y[SETS];

	(void)state;
	for (int g = 0; g < 2; g++) {
		walk_twice(guards[g], y);
		for (int s = 0; s < SETS; s++)
			assert_true(y[s] == 2 * (s + 1));
	}
}

/* ---- the text ---- */

static void
test_range_P36_the_driver_has_nothing_of_a_guard_that_was_not_asked_for(void **state)
{
	static const char *const	 plain[] = {
		AXPY("'auto'"), AXPY("'restore'"), AXPY("'none'"), AXPY("'separate'")
	};
	char				*first = support_driver_text(plain[0]);

	(void)state;
	assert_null(strstr(first, "odd"));
	assert_null(strstr(first, "turn = "));
	for (size_t i = 1; i < 4; i++) {
		char	*text = support_driver_text(plain[i]);

		assert_string_equal(text, first);
		free(text);
	}
	free(first);
}

static void
test_range_the_guard_is_the_same_for_the_empty_routine(void **state)
{
	const struct rt_driver	*d = support_load_driver(DOT("'alternate'"), NULL);
	double			 x[N] = { 1, 1, 1, 1 };
	void			*at[] = { x, x };

	(void)state;
	assert_true(d->rt_repeat(d->rt_empty, at, 1000) > 0);
	assert_true(*(const volatile double *)d->rt_result == 0);
}

static void
test_range_every_floating_type_can_alternate(void **state)
{
	static const char *const	types[] = {
		"float", "double", "long double", "float _Complex", "double _Complex"
	};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		char	spec[1024];

		snprintf(spec, sizeof spec,
		    "{'routine': '%s f(const %s *x)', 'args': {'x': {'dims': [4]}},"
		    "'timing': {'range_guard': 'alternate'}}", types[i], types[i]);
		assert_non_null(support_load_driver(spec, NULL)->rt_turn);
		snprintf(spec, sizeof spec,
		    "{'routine': 'void f(%s a, const %s *x, %s *y)', 'args': {'a': 2, "
		    "'x': {'dims': [4]}, 'y': {'dims': [4]}}, 'timing': {'range_guard': "
		    "'alternate'}}", i < 3 ? types[i] : "double", types[i], types[i]);
		assert_non_null(support_load_driver(spec, NULL)->rt_turn);
		snprintf(spec, sizeof spec,
		    "{'routine': 'void f(const int *n, const %s *x, %s *y)', 'args': {"
		    "'n': {'dims': [4]}, 'x': {'dims': [4]}, 'y': {'dims': [4]}}, 'timing': "
		    "{'range_guard': 'pair'}}", types[i], types[i]);
		const struct rt_driver *d = support_load_driver(spec, NULL);
		assert_int_equal(d->rt_operand[0].rt_paired, 0);
		assert_int_equal(d->rt_operand[1].rt_paired, 1);
	}
}

/* ---- counting ---- */

static void
test_range_W44_P47_numbers_are_counted_by_what_arithmetic_on_them_is_like(void **state)
{
	const double		doubles[] = { 0, -0.0, 1, DBL_MIN, -DBL_MIN, DBL_MAX, INFINITY,
				    -INFINITY, NAN, -NAN, DBL_MIN / 2, -DBL_TRUE_MIN };
	const float		floats[] = { 0, -1, FLT_MIN, FLT_MAX, INFINITY, NAN, FLT_MIN / 2,
				    FLT_TRUE_MIN };
	const long double	longs[] = { 0, 1, LDBL_MIN, LDBL_MAX, INFINITY, NAN, LDBL_MIN / 2 };
	struct runner_census	c = census_of(doubles, 12);

	(void)state;
	assert_true(c.finite == 6 && c.inf == 2 && c.nan == 2 && c.denormal == 2 &&
	    c.zero == 2);
	c = (struct runner_census){ 0, 0, 0, 0, 0 };
	rt_census('f', sizeof floats[0], floats, 8, 1, &c);
	assert_true(c.finite == 4 && c.inf == 1 && c.nan == 1 && c.denormal == 2 &&
	    c.zero == 1);
	c = (struct runner_census){ 0, 0, 0, 0, 0 };
	rt_census('f', sizeof longs[0], longs, 7, 1, &c);
	assert_true(c.finite == 4 && c.inf == 1 && c.nan == 1 && c.denormal == 1);
}

static void
test_range_the_census_sees_parts_of_complex_numbers_and_only_what_is_touched(void **state)
{
	const double		doubles[] = { 1, NAN, INFINITY, 1, 2, DBL_MIN / 2 };
	const int		integers[] = { 1, 2 };
	struct runner_census	c = { 0, 0, 0, 0, 0 };

	(void)state;
	rt_census('c', 2 * sizeof doubles[0], doubles, 3, 1, &c);
	assert_true(c.finite == 3 && c.inf == 1 && c.nan == 1 && c.denormal == 1);
	c = (struct runner_census){ 0, 0, 0, 0, 0 };
	rt_census('f', sizeof doubles[0], doubles, 6, 4, &c);
	assert_true(c.finite == 2 && c.inf + c.nan + c.denormal == 0);
	c = (struct runner_census){ 0, 0, 0, 0, 0 };
	rt_census('i', sizeof integers[0], integers, 2, 1, &c);
	assert_int_equal(c.finite, 0);
}

/* ---- what is said ---- */

#define ALL_WELL	{ .finite = 4 }

static const char *
said(const char *spec, const struct range *r, char buf[RANGE_WORDS])
{
	struct job	job;

	support_spec_job(&job, spec);
	range_words(r, &job.spec, buf);
	job_release(&job);
	return buf;
}

static void
test_range_numbers_that_wander_in_repeated_calls_are_told_with_the_remedy(void **state)
{
	struct range	r = { .has_checked = true, .has_timed = true,
			    .checked = { ALL_WELL, ALL_WELL },
			    .timed = { ALL_WELL, { .finite = 1, .inf = 3 } } };
	char		words[RANGE_WORDS];

	(void)state;
	said(AXPY("'none'"), &r, words);
	assert_non_null(strstr(words,
	    "y has 3 infinite, 0 NaN and 0 denormal of 4 numbers after repeated calls"));
	assert_non_null(strstr(words, "timing.range_guard"));
	r.timed[1] = (struct runner_census)ALL_WELL;
	assert_string_equal(said(AXPY("'none'"), &r, words), "");
}

/* A factor of 0.25 makes 0 of a float after 75 calls, and a sample may have hundreds. */
static void
test_range_P47_W49_numbers_that_faded_to_zero_are_reported(void **state)
{
	struct range	r = { .has_checked = true, .has_timed = true,
			    .checked = { ALL_WELL, { .finite = 4, .zero = 1 } },
			    .timed = { ALL_WELL, { .finite = 4, .zero = 3 } } };
	char		words[RANGE_WORDS];

	(void)state;
	said(AXPY("'none'"), &r, words);
	assert_non_null(strstr(words, "y has 3 zeros of 4 numbers after repeated calls, 1 after one"));
	r.timed[1].zero = 2;				/* most are what they were */
	assert_string_equal(said(AXPY("'none'"), &r, words), "");
	r.checked[1].zero = r.timed[1].zero = 4;	/* one call makes them, too */
	assert_string_equal(said(AXPY("'none'"), &r, words), "");
	r.timed[0] = (struct runner_census){ .finite = 4, .zero = 4 };	/* an input, not its doing */
	assert_string_equal(said(AXPY("'none'"), &r, words), "");
}

static void
test_range_denormal_inputs_are_told_to_be_slow(void **state)
{
	struct range	r = { .has_checked = true, .has_timed = true,
			    .checked = { { .finite = 2, .denormal = 2 }, ALL_WELL },
			    .timed = { { .finite = 2, .denormal = 2 }, ALL_WELL } };
	char		words[RANGE_WORDS];

	(void)state;
	said(AXPY("'restore'"), &r, words);
	assert_string_equal(words,
	    "x has 0 infinite, 0 NaN and 2 denormal of 4 numbers: arithmetic on them may be "
	    "slow, and so may the time");
}

/* An output that is denormal because its input is stays behind one that repeated calls spoilt. */
static void
test_range_what_repeated_calls_spoilt_is_told_first(void **state)
{
	struct range	r = { .has_checked = true, .has_timed = true,
			    .checked = { { .finite = 2, .denormal = 2 }, ALL_WELL },
			    .timed = { { .finite = 2, .denormal = 2 }, { .nan = 4 } } };
	char		words[RANGE_WORDS];

	(void)state;
	assert_non_null(strstr(said(AXPY("'none'"), &r, words), "y has 0 infinite, 4 NaN"));
}

static void
test_range_the_evidence_has_each_floating_operand_and_the_result(void **state)
{
	struct range			 r = { .has_timed = true,
					    .timed = { ALL_WELL, ALL_WELL,
					    [RUNNER_OPERANDS] = { .nan = 1 } } };
	struct job			 job;
	struct range_report		 o;
	const struct census_report	*each;
	char				 words[RANGE_WORDS];
	bool				 known;

	(void)state;
	support_spec_job(&job, DOT("'auto'"));
	assert_true(range_report(&r, &job.spec, words, &o, &known));
	assert_true(known);
	assert_int_equal(o.numbers.n, 3);
	each = o.numbers.at;
	assert_string_equal(each[2].name, "return");
	assert_int_equal(each[2].nan, 1);
	assert_non_null(o.warning);
	free(o.numbers.at);
	r.timed[RUNNER_OPERANDS] = (struct runner_census){ .finite = 1 };
	assert_true(range_report(&r, &job.spec, words, &o, &known));
	assert_null(o.warning);
	free(o.numbers.at);
	job_release(&job);

	support_spec_job(&job, "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [4]}}}");
	assert_true(range_report(&r, &job.spec, words, &o, &known));
	assert_false(known);
	job_release(&job);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_range_W44_W48_a_million_calls_of_alternating_sign_leave_no_inf_nan_or_denormal),
		cmocka_unit_test(test_range_W45_W48_a_million_calls_on_a_negated_pair_leave_no_inf_nan_or_denormal),
		cmocka_unit_test(test_range_W44_results_are_summed_with_alternating_sign),
		cmocka_unit_test(test_range_W44_W45_what_a_traversal_of_the_sets_adds_the_next_takes_away),
		cmocka_unit_test(test_range_P36_the_driver_has_nothing_of_a_guard_that_was_not_asked_for),
		cmocka_unit_test(test_range_the_guard_is_the_same_for_the_empty_routine),
		cmocka_unit_test(test_range_every_floating_type_can_alternate),
		cmocka_unit_test(test_range_W44_P47_numbers_are_counted_by_what_arithmetic_on_them_is_like),
		cmocka_unit_test(test_range_the_census_sees_parts_of_complex_numbers_and_only_what_is_touched),
		cmocka_unit_test(test_range_numbers_that_wander_in_repeated_calls_are_told_with_the_remedy),
		cmocka_unit_test(test_range_P47_W49_numbers_that_faded_to_zero_are_reported),
		cmocka_unit_test(test_range_denormal_inputs_are_told_to_be_slow),
		cmocka_unit_test(test_range_what_repeated_calls_spoilt_is_told_first),
		cmocka_unit_test(test_range_the_evidence_has_each_floating_operand_and_the_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

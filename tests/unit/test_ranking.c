/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "client/cmd/host/host_upkeep.h"
#include "client/print/results/ranking.h"
#include "client/report/verdict.h"
#include "tests/support/rows.h"

static struct ranking	ranking;

static const struct row *
add(const char *document)
{
	rows_add(document);
	ranking_init(&ranking, at, n);
	return at[n - 1];
}

/* A result with a minimum of a tenth less than its median of `ns`. */
static const struct row *
timed(const char *status, const char *estimator, double ns, const char *params)
{
	char	text[512];

	(void)snprintf(text, sizeof text, "{\"name\": \"v%zu\", \"routine\": \"f\", \"status\": "
	    "\"%s\", \"params\": %s, \"time\": {\"estimator\": \"%s\", \"value_ns\": %g, "
	    "\"min_ns\": %g, \"median_ns\": %g}}", n, status, params, estimator,
	    estimator[1] == 'i' ? 0.9 * ns : ns, 0.9 * ns, ns);
	return add(text);
}

static void
test_ranking_a_speedup_is_of_the_estimator_that_both_have(void **state)
{
	const struct row	*a = timed("ok", "min", 200, "{}");
	const struct row	*b = timed("ok", "min", 100, "{}");

	(void)state;
	assert_false(ranking.is_mixed);
	assert_float_equal(ranking_ns(&ranking, a), 180, 1e-9);
	assert_float_equal(ranking_speedup(&ranking, a, b), 2, 1e-9);
}

static void
test_ranking_no_median_is_divided_by_a_minimum(void **state)
{
	const struct row	*a = timed("ok", "normalised", 100, "{}");
	const struct row	*b = timed("ok", "min", 104, "{}");

	(void)state;
	assert_true(ranking.is_mixed);
	assert_float_equal(ranking_speedup(&ranking, a, b), 100 / 104.0, 1e-9);
	assert_float_equal(ranking_speedup(&ranking, b, a), 104 / 100.0, 1e-9);
}

static void
test_ranking_the_estimator_of_a_failure_mixes_nothing(void **state)
{
	const struct row	*a = timed("ok", "min", 100, "{}");
	const struct row	*b = timed("suspect", "normalised", 50, "{}");

	(void)state;
	assert_false(ranking.is_mixed);
	assert_true(isnan(ranking_speedup(&ranking, a, b)));
	assert_true(isnan(ranking_speedup(&ranking, b, a)));
}

static void
test_ranking_rows_of_other_params_or_routine_have_no_speedup(void **state)
{
	const struct row	*a = timed("ok", "min", 100, "{\"N\": 10, \"M\": 1}");
	const struct row	*same = timed("ok", "min", 50, "{\"M\": 1, \"N\": 10}");
	const struct row	*other = timed("ok", "min", 50, "{\"N\": 20, \"M\": 1}");
	const struct row	*none = timed("ok", "min", 50, "null");
	const struct row	*routine = add("{\"routine\": \"g\", \"status\": \"ok\", \"params\": "
				    "{\"N\": 10, \"M\": 1}, \"time\": {\"estimator\": \"min\", "
				    "\"value_ns\": 5.0, \"min_ns\": 5.0, \"median_ns\": 6.0}}");

	(void)state;
	assert_float_equal(ranking_speedup(&ranking, a, same), 2, 1e-9);
	assert_true(isnan(ranking_speedup(&ranking, a, other)));
	assert_true(isnan(ranking_speedup(&ranking, a, none)));
	assert_true(isnan(ranking_speedup(&ranking, a, routine)));
}

static const struct row *
spread(double ns, double from, double to)
{
	char	text[512];

	(void)snprintf(text, sizeof text, "{\"name\": \"v%zu\", \"job\": %zu, \"routine\": \"f\", "
	    "\"status\": \"ok\", \"time\": {\"estimator\": \"min\", \"value_ns\": %g, "
	    "\"min_ns\": %g, \"median_ns\": %g, \"ci95_ns\": [%g, %g]}}", n, n + 1, ns, ns, ns,
	    from, to);
	return add(text);
}

static void
test_ranking_intervals_that_meet_or_are_not_known_overlap(void **state)
{
	const struct row	*a = spread(100, 99, 103), *b = spread(105, 103, 106);
	const struct row	*c = spread(110, 104, 120), *d = timed("ok", "min", 500, "{}");

	(void)state;
	assert_true(ranking_overlap(&ranking, a, b));
	assert_true(ranking_overlap(&ranking, b, a));
	assert_false(ranking_overlap(&ranking, a, c));
	assert_false(ranking_overlap(&ranking, c, a));
	assert_true(ranking_overlap(&ranking, a, d));
}

static void
test_ranking_sorts_the_fastest_to_the_top_and_failures_to_the_end(void **state)
{
	const struct row	*crashed = add("{\"job\": 1, \"status\": \"crashed\"}");
	const struct row	*suspect = timed("suspect", "min", 1, "{}");
	const struct row	*slow = spread(30, 29, 31), *fast = spread(10, 9, 11);

	(void)state;
	ranking_sort(at, n);
	assert_ptr_equal(at[0], fast);
	assert_ptr_equal(at[1], slow);
	assert_ptr_equal(at[2], suspect);
	assert_ptr_equal(at[3], crashed);
}

/* ---- the sentences below the table ---- */

static const char *
verdict(double noise)
{
	static char	 text[2048];
	FILE		*to = fmemopen(text, sizeof text, "w");

	assert_non_null(to);
	ranking_sort(at, n);
	ranking_init(&ranking, at, n);
	verdict_put(to, 0, &ranking, noise);
	assert_int_equal(fclose(to), 0);
	for (char *s = text; *s != '\0'; s++)
		if (*s == '\n')
			*s = s[1] == '\0' ? '\0' : ' ';
	return text;
}

static void
test_verdict_names_the_fastest_and_by_how_much(void **state)
{
	(void)state;
	(void)spread(20, 19, 21);
	(void)spread(10, 9, 11);
	assert_string_equal(verdict(NAN), "v1 is fastest, 2.00 times as fast as v0.");
	assert_string_equal(verdict(0.02), "v1 is fastest, 2.00 times as fast as v0. "
	    "On this host today, differences below 2.0 % mean nothing.");
}

static void
test_verdict_does_not_tell_overlapping_times_apart(void **state)
{
	(void)state;
	(void)spread(40, 39, 41);
	(void)spread(10, 9, 12);
	(void)spread(11, 11, 12);
	assert_string_equal(verdict(NAN), "v1 has the shortest time, 4.00 times as fast as v0. "
	    "By these times it cannot be told apart from v2.");
}

static void
test_verdict_does_not_believe_a_difference_below_the_noise_of_the_host(void **state)
{
	(void)state;
	(void)spread(10.3, 10.2, 10.4);
	(void)spread(10, 9.9, 10.1);
	assert_string_equal(verdict(0.02), "v1 is fastest, 1.03 times as fast as v0. "
	    "On this host today, differences below 2.0 % mean nothing.");
	assert_string_equal(verdict(0.05), "v1 has the shortest time. By these times it cannot be "
	    "told apart from v0. On this host today, differences below 5.0 % mean nothing.");
}

static void
test_verdict_names_the_rows_left_out_with_their_outcomes(void **state)
{
	(void)state;
	(void)timed("suspect", "min", 1, "{}");
	assert_string_equal(verdict(0.1), "No variant is ok, so none is fastest. "
	    "Left out: v0 (suspect).");
	(void)spread(10, 9, 11);
	assert_string_equal(verdict(0.1), "v1 alone is ok: there is no time to compare with. "
	    "Left out: v0 (suspect).");
}

static void
test_verdict_says_when_medians_rank_times_of_several_estimators(void **state)
{
	(void)state;
	(void)spread(10, 9, 11);
	(void)timed("ok", "normalised", 12, "{}");
	assert_non_null(strstr(verdict(NAN), "The medians rank, since"));
}

static void
test_verdict_of_many_ties_names_some_of_them(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 10; i++)
		(void)spread(10, 9, 11);
	assert_non_null(strstr(verdict(NAN), "apart from v1, v2, v3, v4, v5, v6, v7, v8 and 1 more."));
}

/* ---- the noise of the host ---- */

static double
noise_of(double taken, const char *cv, bool in_cache)
{
	char	text[512];
	json_t	*host;
	double	noise;

	(void)snprintf(text, sizeof text, "{\"reference\": {\"kernels\": ["
	    "{\"kernel\": \"dot_warm\", \"cv\": %s, \"taken\": %f}, "
	    "{\"kernel\": \"dot_cold\", \"cv\": 0.05, \"taken\": %f}]}}", cv, taken, taken);
	assert_non_null(host = json_loads(text, 0, NULL));
	noise = host_upkeep_noise(host, in_cache);
	json_decref(host);
	return noise;
}

static void
test_noise_of_the_host_is_of_its_kernel_in_the_same_context_and_of_today(void **state)
{
	const double	now = (double)time(NULL);

	(void)state;
	assert_float_equal(noise_of(now - 3600, "0.01", true), 0.0277, 1e-4);
	assert_float_equal(noise_of(now - 3600, "0.01", false), 0.1386, 1e-4);
	assert_true(isnan(noise_of(now - 2 * 86400.0, "0.01", true)));
	assert_true(isnan(noise_of(now, "null", true)));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_teardown(
		    test_ranking_a_speedup_is_of_the_estimator_that_both_have, rows_forget),
		cmocka_unit_test_teardown(test_ranking_no_median_is_divided_by_a_minimum, rows_forget),
		cmocka_unit_test_teardown(test_ranking_the_estimator_of_a_failure_mixes_nothing,
		    rows_forget),
		cmocka_unit_test_teardown(
		    test_ranking_rows_of_other_params_or_routine_have_no_speedup, rows_forget),
		cmocka_unit_test_teardown(
		    test_ranking_intervals_that_meet_or_are_not_known_overlap, rows_forget),
		cmocka_unit_test_teardown(
		    test_ranking_sorts_the_fastest_to_the_top_and_failures_to_the_end, rows_forget),
		cmocka_unit_test_teardown(test_verdict_names_the_fastest_and_by_how_much, rows_forget),
		cmocka_unit_test_teardown(test_verdict_does_not_tell_overlapping_times_apart,
		    rows_forget),
		cmocka_unit_test_teardown(
		    test_verdict_does_not_believe_a_difference_below_the_noise_of_the_host, rows_forget),
		cmocka_unit_test_teardown(test_verdict_names_the_rows_left_out_with_their_outcomes,
		    rows_forget),
		cmocka_unit_test_teardown(
		    test_verdict_says_when_medians_rank_times_of_several_estimators, rows_forget),
		cmocka_unit_test_teardown(test_verdict_of_many_ties_names_some_of_them, rows_forget),
		cmocka_unit_test(
		    test_noise_of_the_host_is_of_its_kernel_in_the_same_context_and_of_today),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

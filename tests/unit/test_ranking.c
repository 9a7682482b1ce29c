/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/print/ranking.h"
#include "client/print/results.h"

enum { ROWS = 8 };

static struct row		 rows[ROWS];
static const struct row		*at[ROWS];
static struct ranking		 ranking;
static size_t			 n;

static int
forget(void **state)
{
	(void)state;
	while (n > 0)
		row_release(&rows[--n]);
	return 0;
}

static const struct row *
add(const char *document)
{
	json_t		*doc = json_loads(document, 0, NULL);
	struct result	 r;
	struct fault	 why;

	assert_non_null(doc);
	assert_int_equal(results_read_one(&r, doc, &why), ST_OK);
	assert_true(row_init(&rows[n], &r));
	result_release(&r);
	json_decref(doc);
	at[n] = &rows[n];
	n++;
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

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_teardown(
		    test_ranking_a_speedup_is_of_the_estimator_that_both_have, forget),
		cmocka_unit_test_teardown(test_ranking_no_median_is_divided_by_a_minimum, forget),
		cmocka_unit_test_teardown(test_ranking_the_estimator_of_a_failure_mixes_nothing,
		    forget),
		cmocka_unit_test_teardown(
		    test_ranking_rows_of_other_params_or_routine_have_no_speedup, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/support/store_fixture.h"

/* Returns its job. */
static int64_t
add(struct fixture *f, int64_t sweep, const char *identity, double ns, bool is_yardstick)
{
	struct made		m = { .sweep = sweep };
	struct new_result	r = { .outcome = ST_OK, .finished = 5, .value_ns = ns,
				    .estimator = "median", .json = "{}", .identity = identity,
				    .is_yardstick = is_yardstick };

	store_keep_result(f, &m, &r);
	return m.job;
}

static int64_t
timed(struct fixture *f, const char *identity)
{
	int64_t	 job = 0;
	char	*text = store_timed(f->store, identity, &job);

	assert_true((text != NULL) == (job != 0));
	free(text);
	return job;
}

static void
test_D11_the_newest_timing_of_an_identity_is_found(void **state)
{
	struct fixture	*f = *state;
	int64_t		 newest;

	(void)add(f, 0, "one", 10, false);
	newest = add(f, 0, "one", 11, false);
	(void)add(f, 0, "two", 12, false);
	(void)add(f, 0, NULL, 13, false);
	assert_int_equal(timed(f, "one"), newest);
	assert_int_equal(timed(f, "three"), 0);
}

static void
test_D11_a_damaged_timing_is_not_given_again(void **state)
{
	struct fixture	*f = *state;

	(void)add(f, 0, "one", 10, false);
	assert_int_equal(sqlite3_exec(f->store->db, "UPDATE results SET json = '{\"a\":1}'", NULL,
	    NULL, NULL), SQLITE_OK);
	assert_int_equal(timed(f, "one"), 0);
}

/* By hand: 9 and 11 are 10 ± sqrt(2), 20, 21 and 22 are 21 ± 1; pooled over 1 + 2 degrees. */
static void
test_D11_noise_is_the_pooled_spread_of_what_a_sweep_timed_again(void **state)
{
	struct fixture		*f = *state;
	const int64_t		 sweep = store_make_sweep(f, "s"), other = store_make_sweep(f, "o");
	static const double	 ns[] = { 9, 20, 50, 22, 11, 21 };
	static const char *const identity[] = { "a", "b", "c", "b", "a", "b" };
	struct store_noise	 n;

	store_noise(f->store, sweep, &n);
	assert_int_equal(n.identities, 0);
	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
		(void)add(f, sweep, identity[i], ns[i], false);
	(void)add(f, other, "a", 90, false);
	(void)add(f, sweep, "a", 99, true);
	store_noise(f->store, sweep, &n);
	assert_int_equal(n.identities, 2);
	assert_int_equal(n.timings, 5);
	assert_true(fabs(n.spread - sqrt((2.0 / 100 + 2.0 / 441) / 3)) < 1e-12);
}

static void
test_D11_drift_is_from_the_first_to_the_last_time_of_the_yardstick(void **state)
{
	struct fixture			*f = *state;
	const int64_t			 sweep = store_make_sweep(f, "s");
	static const double		 ns[] = { 100, 104, 78, 80 };
	struct store_drift		 d;

	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
		(void)add(f, sweep, "a", ns[i], true);
	(void)add(f, sweep, "b", 90, false);
	store_drift(f->store, sweep, &d);
	assert_int_equal(d.timings, 4);
	assert_true(d.first_ns == 100 && d.last_ns == 80 && fabs(d.worst - 0.75) < 1e-12);
	assert_int_equal(store_sql_int(f->store,
	    "SELECT sum(value_ns) FROM results WHERE value_ns IS NOT NULL"), 90);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(test_D11_the_newest_timing_of_an_identity_is_found),
		T(test_D11_a_damaged_timing_is_not_given_again),
		T(test_D11_noise_is_the_pooled_spread_of_what_a_sweep_timed_again),
		T(test_D11_drift_is_from_the_first_to_the_last_time_of_the_yardstick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

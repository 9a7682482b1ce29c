/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/search/solve.h"

#define MIB	((uint64_t)1 << 20)
#define MOST	(96 * MIB)

/* Recorded: a dot product of 160 kB after reading so many MiB; 0: in cache.  Between two, by the line through them. */
static const double	mib[] = { 0, 4, 16, 24, 32, 40, 48, 64, 80, 96, 128 };
static const double	ns[] = { 1308, 1913, 2148, 2979, 3580, 3700, 3850, 4186, 4331, 4582, 4590 };

static double
recorded(uint64_t bytes)
{
	double	x = (double)bytes / (double)MIB;
	size_t	i = 1;

	while (i + 1 < sizeof mib / sizeof mib[0] && mib[i] < x)
		i++;
	return ns[i - 1] + (ns[i] - ns[i - 1]) * (x - mib[i - 1]) / (mib[i] - mib[i - 1]);
}

static uint64_t	noise_state;

/* Evenly from 1 - share to 1 + share. */
static double
noise(double share)
{
	noise_state = noise_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return 1 + share * (2 * (double)(noise_state >> 40) / (double)(1 << 24) - 1);
}

static unsigned
solve(struct solve *s, double (*time_of)(uint64_t), double spread)
{
	unsigned	asked = 0;
	uint64_t	bytes;

	while (solve_next(s, &bytes)) {
		assert_true(bytes % SOLVE_GRAIN_BYTES == 0 && bytes <= MOST);
		solve_add(s, bytes, time_of(bytes) * noise(spread));
		asked++;
	}
	return asked;
}

static void
test_solve_P41_every_time_between_warm_and_cold_is_hit_within_the_band(void **state)
{
	struct solve	s;

	(void)state;
	for (double target = 1320; target < 4580; target += 20) {
		solve_init(&s, target, 0.03, MOST, 24);
		assert_in_range(solve(&s, recorded, 0), 2, 16);
		assert_int_equal(s.end, SOLVE_HIT);
		assert_true(fabs(solve_difference(&s)) <= 0.03);
		assert_float_equal(recorded(s.point[s.best].bytes), target, 0.03 * target);
	}
}

static void
test_solve_noise_of_two_per_cent_is_coped_with(void **state)
{
	unsigned	hits = 0;

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		double		target = 1500 + 7 * round;
		struct solve	s;

		solve_init(&s, target, 0.03, MOST, 24);
		(void)solve(&s, recorded, 0.02);
		hits += s.end == SOLVE_HIT;
		if (s.end == SOLVE_HIT)
			assert_float_equal(recorded(s.point[s.best].bytes), target, 0.05 * target);
	}
	assert_in_range(hits, 380, 400);
}

static void
test_solve_time_below_warm_or_above_cold_is_said_after_a_second_look(void **state)
{
	struct solve	s;

	(void)state;
	solve_init(&s, 1000, 0.03, MOST, 24);
	assert_int_equal(solve(&s, recorded, 0), 3);
	assert_int_equal(s.end, SOLVE_BELOW_WARM);
	assert_int_equal(s.point[s.best].bytes, 0);
	assert_true(solve_difference(&s) > 0.3);
	solve_init(&s, 5000, 0.03, MOST, 24);
	assert_int_equal(solve(&s, recorded, 0), 3);
	assert_int_equal(s.end, SOLVE_ABOVE_COLD);
	assert_int_equal(s.point[s.best].bytes, MOST);
	assert_true(solve_difference(&s) < -0.08);
}

/* A short routine: timing one call instead of many costs more than the first lines that are flushed. */
static double
jump(uint64_t bytes)
{
	return bytes == 0 ? 100 : bytes < 8 * MIB ? 200 : 300;
}

static void
test_solve_time_that_the_curve_jumps_past_gets_the_closest(void **state)
{
	struct solve	s;

	(void)state;
	solve_init(&s, 140, 0.03, MOST, 60);
	assert_in_range(solve(&s, jump, 0), 3, 40);
	assert_int_equal(s.end, SOLVE_CLOSEST);
	assert_int_equal(s.point[s.best].bytes, 0);
	solve_init(&s, 260, 0.03, MOST, 60);
	assert_in_range(solve(&s, jump, 0), 3, 60);
	assert_int_equal(s.end, SOLVE_CLOSEST);
	assert_true(s.point[s.best].time_ns == 300);
}

/* Half as long again in the third and the fourth timing. */
static unsigned	timings;

static double
loud_moment(uint64_t bytes)
{
	const double	x = (double)bytes / (double)MIB;
	const double	ns_now = x < 2 ? 2400 + 50 * x : 2500 + 100 * (x - 2);

	timings++;
	return timings == 3 || timings == 4 ? 1.5 * ns_now : ns_now;
}

static void
test_solve_a_loud_moment_is_no_step_of_the_curve(void **state)
{
	struct solve	s;

	(void)state;
	timings = 0;
	solve_init(&s, 2780, 0.03, MOST, 24);
	(void)solve(&s, loud_moment, 0);
	assert_int_equal(s.end, SOLVE_HIT);
	assert_float_equal((double)s.point[s.best].bytes, 4.8 * MIB, 0.9 * MIB);
}

/* Warm times differ by more than the band to either side of their middle. */
static double
restless(uint64_t bytes)
{
	return bytes != 0 ? 4582 : timings++ % 2 == 0 ? 1290 : 1380;
}

static void
test_solve_times_that_differ_are_no_hit_after_two(void **state)
{
	struct solve	s;

	(void)state;
	timings = 0;
	solve_init(&s, 1308, 0.03, MOST, 24);
	assert_int_equal(solve(&s, restless, 0), 1 + SOLVE_KEPT);
	assert_int_equal(s.end, SOLVE_HIT);
	assert_int_equal(s.point[s.best].times, SOLVE_KEPT);
}

static void
test_solve_evaluations_are_never_more_than_allowed(void **state)
{
	(void)state;
	for (unsigned most = 2; most <= SOLVE_MAX_EVALUATIONS; most++) {
		struct solve	s;

		solve_init(&s, 2500, 0.0001, MOST, most);
		assert_in_range(solve(&s, recorded, 0.05), 2, most);
		assert_int_not_equal(s.end, SOLVE_GOES_ON);
		assert_true(s.best < s.n);
	}
}

static void
test_solve_second_time_for_the_same_routine_asks_less(void **state)
{
	struct solve	s;
	unsigned	first;

	(void)state;
	solve_init(&s, 3000, 0.03, MOST, 24);
	first = solve(&s, recorded, 0);
	solve_again(&s, 3010, 24);
	assert_true(solve(&s, recorded, 0) < first);
	assert_int_equal(s.end, SOLVE_HIT);
	assert_string_equal(solve_end_name(s.end), "hit");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_solve_P41_every_time_between_warm_and_cold_is_hit_within_the_band),
		cmocka_unit_test(test_solve_noise_of_two_per_cent_is_coped_with),
		cmocka_unit_test(test_solve_time_below_warm_or_above_cold_is_said_after_a_second_look),
		cmocka_unit_test(test_solve_time_that_the_curve_jumps_past_gets_the_closest),
		cmocka_unit_test(test_solve_a_loud_moment_is_no_step_of_the_curve),
		cmocka_unit_test(test_solve_times_that_differ_are_no_hit_after_two),
		cmocka_unit_test(test_solve_evaluations_are_never_more_than_allowed),
		cmocka_unit_test(test_solve_second_time_for_the_same_routine_asks_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

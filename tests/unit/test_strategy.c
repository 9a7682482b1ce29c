/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/search/strategy/strategy.h"

/* GCO's space: blocks and unrolling of 1 to 31, no more unrolling than the block. */
enum { SIDE = 31, GCO_POINTS = SIDE * (SIDE + 1) / 2, WINDOW = 4 };

static bool
in_triangle(void *arg, const struct point *p, size_t known)
{
	(void)arg;
	return known < 2 || p->at[1] <= p->at[0];
}

static struct grid
triangle(void)
{
	struct grid	s = { .ndims = 2, .values = { SIDE, SIDE }, .ordered = { true, true },
			    .admits = in_triangle };

	assert_true(grid_measure(&s));
	return s;
}

/* The least, 1, at (20, 8). */
static double
bowl(const struct point *p)
{
	double	x = (double)p->at[0] - 20, y = (double)p->at[1] - 8;

	return 1 + 0.01 * (x * x + y * y);
}

static struct strategy *
open(const char *name, const struct grid *s, uint64_t seed)
{
	struct strategy	*strategy;
	struct fault	 why;

	assert_int_equal(strategy_new(&strategy, name, s, seed, &why), ST_OK);
	return strategy;
}

static void
observe(struct strategy *s, const struct point *p, double value)
{
	struct fault	why;

	assert_int_equal(strategy_observe(s, p, value, &why), ST_OK);
}

/* Search with one point at a time; ids gets the path, at most n.  Returns its length. */
static size_t
search(struct strategy *s, const struct grid *grid, size_t n, uint64_t *ids, double *best)
{
	struct point	p;
	size_t		i;

	*best = INFINITY;
	for (i = 0; i < n && strategy_propose(s, 1, &p) == 1; i++) {
		ids[i] = grid_id(grid, &p);
		*best = fmin(*best, bowl(&p));
		observe(s, &p, bowl(&p));
	}
	return i;
}

static int
compare_ids(const void *a, const void *b)
{
	uint64_t	x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void
assert_distinct(uint64_t *ids, size_t n)
{
	qsort(ids, n, sizeof *ids, compare_ids);
	for (size_t i = 1; i < n; i++)
		assert_true(ids[i] != ids[i - 1]);
}

static void
test_strategy_G5_each_visits_every_point_of_the_space_once_and_no_other(void **state)
{
	struct grid	s = triangle();
	uint64_t	ids[GCO_POINTS + 1];
	struct point	p;
	double		best;

	(void)state;
	for (size_t k = 0; strategy_name(k) != NULL; k++) {
		struct strategy	*strategy = open(strategy_name(k), &s, k);

		assert_int_equal(search(strategy, &s, GCO_POINTS + 1, ids, &best), GCO_POINTS);
		assert_distinct(ids, GCO_POINTS);
		for (size_t i = 0; i < GCO_POINTS; i++) {
			grid_point(&s, ids[i], &p);
			assert_true(grid_admits(&s, &p));
		}
		assert_true(best == 1);
		strategy_free(strategy);
	}
}

static void
test_strategy_exhaustive_goes_in_the_order_of_a_sweep(void **state)
{
	struct grid	 s = triangle();
	struct strategy	*strategy = open("exhaustive", &s, 0);
	uint64_t	 ids[GCO_POINTS];
	double		 best;

	(void)state;
	assert_int_equal(search(strategy, &s, GCO_POINTS, ids, &best), GCO_POINTS);
	for (size_t i = 1; i < GCO_POINTS; i++)
		assert_true(ids[i] > ids[i - 1]);
	strategy_free(strategy);
}

/* Mean of the best values of 40 seeds after so many evaluations. */
static double
mean_best(const char *name, size_t evaluations)
{
	struct grid	s = triangle();
	uint64_t	ids[GCO_POINTS];
	double		sum = 0, best;

	for (uint64_t seed = 0; seed < 40; seed++) {
		struct strategy	*strategy = open(name, &s, seed);

		(void)search(strategy, &s, evaluations, ids, &best);
		sum += best;
		strategy_free(strategy);
	}
	return sum / 40;
}

static void
test_strategy_G6_simplexes_find_the_bottom_of_a_bowl(void **state)
{
	(void)state;
	assert_true(mean_best("nelder-mead", 40) < 1.001);
	assert_true(mean_best("sbplx", 40) < 1.001);
}

static void
test_strategy_G7_G8_the_others_beat_random_in_a_bowl(void **state)
{
	static const char *const	others[] = {
		"hill", "direct", "genetic", "annealing", "model", "portfolio"
	};
	const double			bar = mean_best("random", 40);

	(void)state;
	assert_true(bar > 1.01);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_true(mean_best(others[i], 40) < bar);
}

/* Values in the order of the proposals, WINDOW of which are on their way at any time. */
static size_t
search_ahead(struct strategy *s, const struct grid *grid, size_t n, uint64_t *ids)
{
	struct point	flight[WINDOW];
	size_t		proposed = 0, seen = 0;

	while (proposed < n) {
		if (proposed - seen < WINDOW &&
		    strategy_propose(s, 1, &flight[proposed % WINDOW]) == 1) {
			ids[proposed] = grid_id(grid, &flight[proposed % WINDOW]);
			proposed++;
			continue;
		}
		assert_true(seen < proposed);
		observe(s, &flight[seen % WINDOW], bowl(&flight[seen % WINDOW]));
		seen++;
	}
	return proposed;
}

static void
test_strategy_the_same_seed_is_the_same_path_and_another_is_another(void **state)
{
	struct grid	s = triangle();
	uint64_t	first[60], again[60], other[60];

	(void)state;
	for (size_t k = 0; strategy_name(k) != NULL; k++) {
		struct strategy	*a = open(strategy_name(k), &s, 7), *b = open(strategy_name(k), &s, 7);
		struct strategy	*c = open(strategy_name(k), &s, 8);

		assert_int_equal(search_ahead(a, &s, 60, first), 60);
		assert_int_equal(search_ahead(b, &s, 60, again), 60);
		assert_int_equal(search_ahead(c, &s, 60, other), 60);
		assert_memory_equal(first, again, sizeof first);
		assert_int_equal(memcmp(first, other, sizeof first) == 0,
		    strcmp(strategy_name(k), "exhaustive") == 0);
		assert_distinct(first, 60);
		strategy_free(a);
		strategy_free(b);
		strategy_free(c);
	}
}

/* 10^12 points of which one in 10^6 is in: the second half repeats the first. */
static bool
is_mirrored(void *arg, const struct point *p, size_t known)
{
	(void)arg;
	for (size_t d = 6; d < known; d++)
		if (p->at[d] != p->at[d - 6])
			return false;
	return true;
}

static void
test_strategy_a_space_of_a_million_millions_that_leaves_nearly_all_out_is_searched(void **state)
{
	struct grid	s = { .ndims = 12, .admits = is_mirrored };
	uint64_t	ids[60];
	double		best;
	struct point	p;

	(void)state;
	for (size_t d = 0; d < s.ndims; d++)
		s.values[d] = 10, s.ordered[d] = d % 2 == 0;
	assert_true(grid_measure(&s));
	for (size_t k = 0; strategy_name(k) != NULL; k++) {
		struct strategy	*strategy = open(strategy_name(k), &s, 3);

		assert_int_equal(search(strategy, &s, 60, ids, &best), 60);
		assert_distinct(ids, 60);
		for (size_t i = 0; i < 60; i++) {
			grid_point(&s, ids[i], &p);
			assert_true(is_mirrored(NULL, &p, s.ndims));
		}
		strategy_free(strategy);
	}
}

static bool
never(void *arg, const struct point *p, size_t known)
{
	(void)arg;
	(void)p;
	return known < 1;
}

static void
test_strategy_a_space_without_a_point_ends_at_once(void **state)
{
	struct grid	s = triangle();
	struct point	p;

	(void)state;
	s.admits = never;
	for (size_t k = 0; strategy_name(k) != NULL; k++) {
		struct strategy	*strategy = open(strategy_name(k), &s, 3);

		assert_int_equal(strategy_propose(strategy, 1, &p), 0);
		strategy_free(strategy);
	}
}

static void
test_strategy_points_of_one_value_and_failures_everywhere_are_no_trouble(void **state)
{
	struct grid	s = { .ndims = 3, .values = { 1, 5, 1 }, .ordered = { true, false, false } };
	struct point	p;
	size_t		n;

	(void)state;
	assert_true(grid_measure(&s));
	for (size_t k = 0; strategy_name(k) != NULL; k++) {
		struct strategy	*strategy = open(strategy_name(k), &s, 3);

		for (n = 0; strategy_propose(strategy, 1, &p) == 1; n++)
			observe(strategy, &p, INFINITY);
		assert_int_equal(n, 5);
		assert_null(trail_best(strategy_trail(strategy)));
		strategy_free(strategy);
	}
}

static void
test_strategy_a_point_of_the_callers_own_is_not_proposed(void **state)
{
	struct grid	s = triangle();
	struct point	own = { .at = { 20, 8 } };
	uint64_t	ids[GCO_POINTS];
	double		best;

	(void)state;
	for (size_t k = 0; strategy_name(k) != NULL; k++) {
		struct strategy	*strategy = open(strategy_name(k), &s, 5);

		observe(strategy, &own, 1);
		assert_int_equal(search(strategy, &s, GCO_POINTS, ids, &best), GCO_POINTS - 1);
		assert_true(best > 1);
		assert_true(trail_best(strategy_trail(strategy))->value == 1);
		strategy_free(strategy);
	}
}

static void
test_strategy_an_unknown_name_is_refused_with_a_near_one(void **state)
{
	struct grid	 s = triangle();
	struct strategy	*strategy;
	struct fault	 why;

	(void)state;
	assert_int_equal(strategy_new(&strategy, "protfolio", &s, 1, &why), ST_BAD_REQUEST);
	assert_null(strategy);
	assert_non_null(strstr(why.hint, "portfolio"));
}

static void
test_grid_more_points_than_fit_are_noticed(void **state)
{
	struct grid	s = { .ndims = 4, .values = { 1 << 16, 1 << 16, 1 << 16, 1 << 14 } };

	(void)state;
	assert_true(grid_measure(&s));
	s.values[3]++;
	assert_false(grid_measure(&s));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_strategy_G5_each_visits_every_point_of_the_space_once_and_no_other),
		cmocka_unit_test(test_strategy_exhaustive_goes_in_the_order_of_a_sweep),
		cmocka_unit_test(test_strategy_G6_simplexes_find_the_bottom_of_a_bowl),
		cmocka_unit_test(test_strategy_G7_G8_the_others_beat_random_in_a_bowl),
		cmocka_unit_test(
		    test_strategy_the_same_seed_is_the_same_path_and_another_is_another),
		cmocka_unit_test(
		    test_strategy_a_space_of_a_million_millions_that_leaves_nearly_all_out_is_searched),
		cmocka_unit_test(test_strategy_a_space_without_a_point_ends_at_once),
		cmocka_unit_test(
		    test_strategy_points_of_one_value_and_failures_everywhere_are_no_trouble),
		cmocka_unit_test(test_strategy_a_point_of_the_callers_own_is_not_proposed),
		cmocka_unit_test(test_strategy_an_unknown_name_is_refused_with_a_near_one),
		cmocka_unit_test(test_grid_more_points_than_fit_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

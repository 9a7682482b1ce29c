/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/upkeep/knee.h"

#define MIB	((uint64_t)1 << 20)
#define CACHE	(32 * MIB)

/*
 * Recorded on a machine with a victim L3 of 32 MiB that is not quite LRU: dot products of 2 x 80 KB
 * and 2 x 800 KB after reading so many MiB, 31 samples each in 8 processes, lower quartile.
 */
enum { RECORDED = 12 };
static const unsigned	mib[RECORDED] = { 4, 16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 384 };
static const double	dot_10k[RECORDED] = { 1913, 2148, 2979, 3580, 3941, 3545, 4186, 4331, 4582,
    4402, 4587, 4632 };
static const double	dot_100k[RECORDED] = { 18468, 21607, 24572, 32333, 32949, 35127, 36209,
			    40586, 40065, 39754, 41697, 40260 };

static struct knee
knee_of(const double *ns, size_t n)
{
	struct knee_point	p[RECORDED];
	struct knee		k;

	for (size_t i = 0; i < n; i++)
		p[i] = (struct knee_point){ mib[i] * MIB, ns[i] };
	knee_find(&k, p, n);
	return k;
}

static void
test_knee_W26_is_found_in_recorded_curves_where_the_time_stops_rising(void **state)
{
	struct knee	small = knee_of(dot_10k, RECORDED), large = knee_of(dot_100k, RECORDED);

	(void)state;
	assert_int_equal(small.kind, KNEE_FOUND);
	assert_int_equal(mib[small.at], 96);
	assert_int_equal(large.kind, KNEE_FOUND);
	assert_int_equal(mib[large.at], 80);
	assert_true(small.base_ns == 1913 && small.plateau_ns == 4587);
	assert_true(knee_coldness(&small, 1913) == 0 && knee_coldness(&small, 4587) == 1);
	assert_float_equal(knee_coldness(&small, 3580), 0.62, 0.01);	/* flushing as much as the cache holds */
}

static void
test_knee_single_outlier_anywhere_leaves_it_between_two_and_four_caches(void **state)
{
	(void)state;
	for (size_t i = 0; i < RECORDED; i++) {
		for (int high = 0; high < 2; high++) {
			double		ns[RECORDED];
			struct knee	k;

			for (size_t j = 0; j < RECORDED; j++)
				ns[j] = dot_10k[j] * (j == i ? (high ? 2.5 : 0.6) : 1);
			k = knee_of(ns, RECORDED);
			assert_int_equal(k.kind, KNEE_FOUND);
			assert_in_range(mib[k.at], 64, 128);
		}
	}
}

static void
test_knee_noise_of_three_per_cent_does_not_hide_it(void **state)
{
	uint64_t	x = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		double		ns[RECORDED];
		struct knee	k;

		for (size_t j = 0; j < RECORDED; j++) {
			x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			ns[j] = dot_10k[j] * (0.97 + 0.06 * (double)(x >> 40) / (double)(1 << 24));
		}
		k = knee_of(ns, RECORDED);
		assert_int_equal(k.kind, KNEE_FOUND);
		assert_in_range(mib[k.at], 64, 192);
	}
}

static void
test_knee_curve_without_a_cold_effect_is_flat(void **state)
{
	static const double	ns[RECORDED] = { 100, 103, 99, 101, 104, 100, 98, 102, 107,
				    101, 100, 103 };
	struct knee		k = knee_of(ns, RECORDED);

	(void)state;
	assert_int_equal(k.kind, KNEE_FLAT);
	assert_true(knee_coldness(&k, 104) == 0);
}

static void
test_knee_curve_that_never_flattens_says_so_and_gives_the_last_size(void **state)
{
	double		ns[RECORDED] = { 1000 };
	struct knee	k;

	(void)state;
	for (size_t i = 1; i < RECORDED; i++)
		ns[i] = ns[i - 1] * 1.2;
	k = knee_of(ns, RECORDED);
	assert_int_equal(k.kind, KNEE_RISING);
	assert_int_equal(k.at, RECORDED - 1);
	assert_string_equal(knee_name(k.kind), "rising");
}

static void
test_knee_too_few_points_are_no_curve(void **state)
{
	(void)state;
	assert_int_equal(knee_of(dot_10k, KNEE_POINTS - 1).kind, KNEE_NONE);
	assert_int_not_equal(knee_of(dot_10k, KNEE_POINTS).kind, KNEE_NONE);
}

static void
test_knee_sizes_grow_from_an_eighth_of_the_cache_to_sixteen_times_or_the_limit(void **state)
{
	uint64_t	before = 0, bytes;
	size_t		n = 0;

	(void)state;
	while ((bytes = knee_size(CACHE, UINT64_MAX, n)) != 0) {
		assert_true(bytes > before);
		before = bytes;
		n++;
	}
	assert_int_equal(knee_size(CACHE, UINT64_MAX, 0), 4 * MIB);
	assert_int_equal(before, 512 * MIB);
	assert_int_not_equal(knee_size(CACHE, 3 * CACHE, 9), 0);
	assert_int_equal(knee_size(CACHE, 3 * CACHE, 10), 0);
}

/*
 * Recorded on a machine with a victim L3 of 32 MiB, of which neighbours had a part: the same dot
 * product of 2 x 80 KB, least of five medians.  And a walk through 4 KiB and 128 KiB on it, for its
 * L1 of 32 KiB and its L2 of 1 MiB.
 */
static void
test_knee_W26_is_found_in_curves_of_a_second_machine_for_each_of_its_caches(void **state)
{
	static const struct knee_point	last[] = {
		{ 4 * MIB, 1833 }, { 8 * MIB, 1843 }, { 16 * MIB, 2143 }, { 24 * MIB, 2514 },
		{ 32 * MIB, 3055 }, { 40 * MIB, 3125 }, { 48 * MIB, 3756 }, { 64 * MIB, 4917 },
		{ 80 * MIB, 4857 }, { 96 * MIB, 4627 }, { 128 * MIB, 6885 }, { 192 * MIB, 7151 },
		{ 256 * MIB, 7311 }, { 384 * MIB, 6920 }, { 512 * MIB, 7071 },
	};
	static const double		walk_l1[] = { 120, 120, 260, 260, 270, 270, 260, 270, 270, 270,
					    270 };
	static const double		walk_l2[] = { 9494, 10496, 18117, 21933, 23896, 24056, 19649,
					    22003, 20240, 24216, 26770 };
	struct knee_point		p[11];
	struct knee			k;

	(void)state;
	knee_find(&k, last, sizeof last / sizeof last[0]);
	assert_int_equal(k.kind, KNEE_FOUND);
	assert_int_equal(last[k.at].bytes, 128 * MIB);
	for (size_t i = 0; i < 11; i++)
		p[i] = (struct knee_point){ knee_inner_size(32 << 10, MIB, i), walk_l1[i] };
	knee_find(&k, p, 11);
	assert_int_equal(k.kind, KNEE_FOUND);
	assert_int_equal(p[k.at].bytes, 32 << 10);
	for (size_t i = 0; i < 11; i++)
		p[i] = (struct knee_point){ knee_inner_size(MIB, CACHE, i), walk_l2[i] };
	knee_find(&k, p, 11);
	assert_int_equal(k.kind, KNEE_FOUND);
	assert_in_range(p[k.at].bytes, 2 * MIB, 12 * MIB);
}

static void
test_knee_sizes_for_an_inner_cache_end_at_half_of_the_next(void **state)
{
	size_t	n = 0;

	(void)state;
	assert_int_equal(knee_inner_size(MIB, CACHE, 0), MIB / 4);
	while (knee_inner_size(MIB, CACHE, n) != 0)
		n++;
	assert_int_equal(knee_inner_size(MIB, CACHE, n - 1), CACHE / 2);
	assert_int_equal(knee_inner_size(2 * MIB, 12 * MIB, 5), 6 * MIB);
	assert_int_equal(knee_inner_size(2 * MIB, 12 * MIB, 6), 0);
}

/* Between an inner cache's size and the outer's there is a plateau, too. */
static void
test_knee_inner_cache_settles_nothing_until_six_times_the_largest_is_tried(void **state)
{
	static const double	ns[] = { 1000, 1500, 1510, 1505, 1500, 1507 };
	struct knee		k = knee_of(ns, 6);

	(void)state;
	assert_int_equal(k.kind, KNEE_FOUND);
	assert_false(knee_is_settled(&k, CACHE, 48 * MIB));
	assert_true(knee_is_settled(&k, CACHE, 192 * MIB));
	k.kind = KNEE_RISING;
	assert_false(knee_is_settled(&k, CACHE, 512 * MIB));
}

static void
test_knee_W26_low_associativity_asks_for_size_times_ways(void **state)
{
	(void)state;
	assert_int_equal(knee_least_bytes(MIB, 4), 4 * MIB);
	assert_int_equal(knee_least_bytes(MIB, 1), MIB);
	assert_int_equal(knee_least_bytes(MIB, 8), 0);
	assert_int_equal(knee_least_bytes(MIB, 0), 0);		/* hwloc does not know */
	assert_int_equal(knee_least_bytes(MIB, -1), 0);		/* fully associative */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_knee_W26_is_found_in_recorded_curves_where_the_time_stops_rising),
		cmocka_unit_test(test_knee_single_outlier_anywhere_leaves_it_between_two_and_four_caches),
		cmocka_unit_test(test_knee_noise_of_three_per_cent_does_not_hide_it),
		cmocka_unit_test(test_knee_curve_without_a_cold_effect_is_flat),
		cmocka_unit_test(test_knee_curve_that_never_flattens_says_so_and_gives_the_last_size),
		cmocka_unit_test(test_knee_too_few_points_are_no_curve),
		cmocka_unit_test(test_knee_sizes_grow_from_an_eighth_of_the_cache_to_sixteen_times_or_the_limit),
		cmocka_unit_test(test_knee_W26_is_found_in_curves_of_a_second_machine_for_each_of_its_caches),
		cmocka_unit_test(test_knee_sizes_for_an_inner_cache_end_at_half_of_the_next),
		cmocka_unit_test(test_knee_inner_cache_settles_nothing_until_six_times_the_largest_is_tried),
		cmocka_unit_test(test_knee_W26_low_associativity_asks_for_size_times_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

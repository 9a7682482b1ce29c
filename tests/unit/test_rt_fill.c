/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "worker/runner/sample/fill.h"

enum { N = 5000 };

static struct rt_operand
random_doubles(rt_u64 seed)
{
	return (struct rt_operand){ .rt_class = 'f', .rt_bytes = 8, .rt_count = N, .rt_init = 'r',
		.rt_seed = seed, .rt_low = -1, .rt_high = 1 };
}

static void
test_rt_fill_P11_the_same_seed_gives_the_same_bytes_and_another_gives_others(void **state)
{
	static double		a[N], b[N], c[N];
	struct rt_operand	one = random_doubles(1), two = random_doubles(2);

	(void)state;
	rt_fill(&one, a);
	rt_fill(&one, b);
	rt_fill(&two, c);
	assert_memory_equal(a, b, sizeof a);
	assert_memory_not_equal(a, c, sizeof a);
}

/* Fixed for ever: results of different years must have been taken with the same data. */
static void
test_rt_fill_P11_the_stream_is_splitmix64(void **state)
{
	double			a[1];
	struct rt_operand	o = random_doubles(1);

	(void)state;
	o.rt_count = 1;
	rt_fill(&o, a);
	assert_int_equal(rt_number(0, 0), 0xe220a8397b1dcdafu);
	assert_int_equal(rt_number(0, 1), 0x6e789e6aa1b965f4u);
	assert_true(a[0] == -1 + 2 * ((double)(rt_number(1, 0) >> 11) * 0x1p-53));
}

static void
test_rt_fill_W47_W49_random_reals_have_both_signs_and_a_mean_near_zero(void **state)
{
	static double		a[N];
	struct rt_operand	o = random_doubles(3);
	int			negative = 0;
	double			sum = 0;

	(void)state;
	rt_fill(&o, a);
	for (int i = 0; i < N; i++) {
		assert_true(a[i] >= -1 && a[i] < 1 && a[i] != 0);
		negative += a[i] < 0;
		sum += a[i];
	}
	assert_true(negative > N * 4 / 10 && negative < N * 6 / 10);
	assert_true(sum > -N / 20 && sum < N / 20);
}

static void
test_rt_fill_random_integers_reach_both_ends_of_their_range(void **state)
{
	static signed char	a[N];
	struct rt_operand	o = { .rt_class = 'i', .rt_bytes = 1, .rt_count = N, .rt_init = 'r',
	    .rt_low = -3, .rt_high = 4 };
	int			low = 0, high = 0;

	(void)state;
	rt_fill(&o, a);
	for (int i = 0; i < N; i++) {
		assert_true(a[i] >= -3 && a[i] <= 4);
		low += a[i] == -3;
		high += a[i] == 4;
	}
	assert_true(low > 0 && high > 0);
}

static void
test_rt_fill_an_unsigned_range_may_be_all_of_64_bits(void **state)
{
	static uint64_t		a[N];
	struct rt_operand	o = { .rt_class = 'u', .rt_bytes = 8, .rt_count = N,
				    .rt_init = 'r', .rt_low = 0, .rt_high = 0x1p64 };
	int			large = 0;

	(void)state;
	rt_fill(&o, a);
	for (int i = 0; i < N; i++)
		large += a[i] >> 63 != 0;
	assert_true(large > N * 4 / 10 && large < N * 6 / 10);
}

static void
test_rt_fill_booleans_are_0_or_1(void **state)
{
	static unsigned char	a[N];
	struct rt_operand	o = { .rt_class = 'b', .rt_bytes = 1, .rt_count = N, .rt_init = 'r',
				    .rt_high = 1 };
	int			set = 0;

	(void)state;
	rt_fill(&o, a);
	for (int i = 0; i < N; i++) {
		assert_true(a[i] <= 1);
		set += a[i];
	}
	assert_true(set > N / 4 && set < N * 3 / 4);
}

static void
test_rt_fill_complex_numbers_have_two_different_parts(void **state)
{
	static float complex	a[N];
	struct rt_operand	o = { .rt_class = 'c', .rt_bytes = 8, .rt_count = N, .rt_init = 'r',
	    .rt_low = -1, .rt_high = 1 };

	(void)state;
	rt_fill(&o, a);
	for (int i = 0; i < N; i++)
		assert_true(crealf(a[i]) != cimagf(a[i]));
}

static void
test_rt_fill_random_data_at_an_odd_address_is_the_same(void **state)
{
	static double		a[N];
	static char		b[sizeof a + 1];
	struct rt_operand	o = random_doubles(9);

	(void)state;
	rt_fill(&o, a);
	rt_fill(&o, b + 1);
	assert_memory_equal(a, b + 1, sizeof a);
}

static void
test_rt_fill_a_permutation_has_each_number_once_and_not_in_order(void **state)
{
	static int		a[N], seen[N];
	struct rt_operand	o = { .rt_class = 'i', .rt_bytes = 4, .rt_count = N, .rt_init = 'p',
				    .rt_seed = 5 };
	int			home = 0;

	(void)state;
	rt_fill(&o, a);
	for (int i = 0; i < N; i++) {
		assert_in_range(a[i], 0, N - 1);
		assert_int_equal(seen[a[i]]++, 0);
		home += a[i] == i;
	}
	assert_true(home < 20);
}

static void
test_rt_fill_a_secret_makes_the_same_bytes_again_and_another_one_others(void **state)
{
	static double		a[N], b[N], none[N];
	struct rt_operand	o = random_doubles(1), other = random_doubles(2);

	(void)state;
	rt_fill(&o, none);
	rt_fill_secret(&o, 7, a);
	rt_fill_secret(&o, 7, b);
	assert_memory_equal(a, b, sizeof a);
	assert_memory_not_equal(a, none, sizeof a);
	rt_fill_secret(&o, 8, b);
	for (int i = 0; i < N; i++)
		assert_true(a[i] != b[i] && a[i] != none[i]);
	rt_fill_secret(&other, 7, b);
	for (int i = 0; i < N; i++)
		assert_true(a[i] != b[i]);
}

static void
test_rt_fill_secret_numbers_keep_to_the_range_and_reach_its_ends(void **state)
{
	static double		a[N];
	static signed char	s[N];
	struct rt_operand	reals = random_doubles(3), integers = { .rt_class = 'i',
	    .rt_bytes = 1, .rt_count = N, .rt_init = 'r', .rt_low = -3, .rt_high = 4 };
	int			negative = 0, low = 0, high = 0;

	(void)state;
	rt_fill_secret(&reals, 7, a);
	rt_fill_secret(&integers, 7, s);
	for (int i = 0; i < N; i++) {
		assert_true(a[i] >= -1 && a[i] < 1);
		assert_true(s[i] >= -3 && s[i] <= 4);
		negative += a[i] < 0;
		low += s[i] == -3;
		high += s[i] == 4;
	}
	assert_true(negative > N * 4 / 10 && negative < N * 6 / 10);
	assert_true(low > 0 && high > 0);
}

static void
test_rt_fill_both_parts_of_a_complex_number_depend_on_the_secret(void **state)
{
	static double complex	a[N], b[N];
	struct rt_operand	o = { .rt_class = 'c', .rt_bytes = 16, .rt_count = N,
	    .rt_init = 'r', .rt_low = -1, .rt_high = 1 };

	(void)state;
	rt_fill_secret(&o, 7, a);
	rt_fill_secret(&o, 8, b);
	for (int i = 0; i < N; i++)
		assert_true(creal(a[i]) != creal(b[i]) && cimag(a[i]) != cimag(b[i]) &&
		    creal(a[i]) != cimag(a[i]));
}

static void
test_rt_fill_a_secret_permutation_has_each_number_once(void **state)
{
	static int		a[N], b[N], seen[N];
	struct rt_operand	o = { .rt_class = 'i', .rt_bytes = 4, .rt_count = N, .rt_init = 'p',
				    .rt_seed = 5 };
	int			same = 0;

	(void)state;
	rt_fill_secret(&o, 7, a);
	rt_fill_secret(&o, 8, b);
	for (int i = 0; i < N; i++) {
		assert_in_range(a[i], 0, N - 1);
		assert_int_equal(seen[a[i]]++, 0);
		same += a[i] == b[i];
	}
	assert_true(same < 20);
}

static void
test_rt_fill_an_index_counts_up_in_every_type(void **state)
{
	short			s[100];
	long double		l[100];
	struct rt_operand	os = { .rt_class = 'i', .rt_bytes = 2, .rt_count = 100,
				    .rt_init = 'n' };
	struct rt_operand	ol = { .rt_class = 'f', .rt_bytes = 16, .rt_count = 100,
				    .rt_init = 'n' };

	(void)state;
	rt_fill(&os, s);
	rt_fill(&ol, l);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(s[i], i);
		assert_true(l[i] == i);
	}
}

static void
test_rt_fill_a_value_is_in_every_element_and_data_is_what_was_given(void **state)
{
	const float		value = 2.5f;
	float			a[100];
	unsigned char		b[8];
	struct rt_operand	ov = { .rt_class = 'f', .rt_bytes = 4, .rt_count = 100,
	    .rt_init = 'v', .rt_data = &value };
	struct rt_operand	od = { .rt_class = 'u', .rt_bytes = 1, .rt_count = 8,
	    .rt_init = 'd', .rt_data = "abcde",
				    .rt_data_bytes = 5 };

	(void)state;
	rt_fill(&ov, a);
	for (int i = 0; i < 100; i++)
		assert_true(a[i] == 2.5f);
	rt_fill(&od, b);
	assert_memory_equal(b, "abcde\0\0\0", 8);
}

static void
test_rt_fill_W45_the_negated_copy_has_every_sign_turned_round(void **state)
{
	static const double		 doubles[] = { 1.5, -2, 0 };
	static const float		 floats[] = { 1.5f, -2 };
	static const long double	 longs[] = { 1.5L, -2 };
	static const int16_t		 shorts[] = { 1, -256, 0, INT16_MIN };
	static const double _Complex	 complexes[] = { 1.5 - 2 * I };
	double				 d[3];
	float				 f[2];
	long double			 l[2];
	int16_t				 s[4];
	double _Complex			 c[1];

	(void)state;
	rt_fill_negated(&(struct rt_operand){ .rt_class = 'f', .rt_bytes = 8, .rt_count = 3 }, d,
	    doubles);
	assert_true(d[0] == -1.5 && d[1] == 2 && d[2] == 0);
	rt_fill_negated(&(struct rt_operand){ .rt_class = 'f', .rt_bytes = 4, .rt_count = 2 }, f,
	    floats);
	assert_true(f[0] == -1.5f && f[1] == 2);
	rt_fill_negated(&(struct rt_operand){ .rt_class = 'f', .rt_bytes = sizeof l[0],
	    .rt_count = 2 }, l, longs);
	assert_true(l[0] == -1.5L && l[1] == 2);
	rt_fill_negated(&(struct rt_operand){ .rt_class = 'i', .rt_bytes = 2, .rt_count = 4 }, s,
	    shorts);
	assert_true(s[0] == -1 && s[1] == 256 && s[2] == 0 && s[3] == INT16_MIN);
	rt_fill_negated(&(struct rt_operand){ .rt_class = 'c', .rt_bytes = 16, .rt_count = 1 },
	    c, complexes);
	assert_true(creal(c[0]) == -1.5 && cimag(c[0]) == 2);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_fill_P11_the_same_seed_gives_the_same_bytes_and_another_gives_others),
		cmocka_unit_test(test_rt_fill_P11_the_stream_is_splitmix64),
		cmocka_unit_test(test_rt_fill_W47_W49_random_reals_have_both_signs_and_a_mean_near_zero),
		cmocka_unit_test(test_rt_fill_random_integers_reach_both_ends_of_their_range),
		cmocka_unit_test(test_rt_fill_an_unsigned_range_may_be_all_of_64_bits),
		cmocka_unit_test(test_rt_fill_booleans_are_0_or_1),
		cmocka_unit_test(test_rt_fill_complex_numbers_have_two_different_parts),
		cmocka_unit_test(test_rt_fill_random_data_at_an_odd_address_is_the_same),
		cmocka_unit_test(test_rt_fill_a_permutation_has_each_number_once_and_not_in_order),
		cmocka_unit_test(
		    test_rt_fill_a_secret_makes_the_same_bytes_again_and_another_one_others),
		cmocka_unit_test(test_rt_fill_secret_numbers_keep_to_the_range_and_reach_its_ends),
		cmocka_unit_test(test_rt_fill_both_parts_of_a_complex_number_depend_on_the_secret),
		cmocka_unit_test(test_rt_fill_a_secret_permutation_has_each_number_once),
		cmocka_unit_test(test_rt_fill_an_index_counts_up_in_every_type),
		cmocka_unit_test(test_rt_fill_a_value_is_in_every_element_and_data_is_what_was_given),
		cmocka_unit_test(test_rt_fill_W45_the_negated_copy_has_every_sign_turned_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

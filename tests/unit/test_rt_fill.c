/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/text.h"

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

/* ---- orders and distributions ---- */

static int
descents(const double *x, int n)
{
	int	found = 0;

	for (int i = 1; i < n; i++)
		found += x[i] < x[i - 1];
	return found;
}

static int
compare_doubles(const void *a, const void *b)
{
	const double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
test_rt_fill_X1_sorted_and_reversed_are_the_random_numbers_in_that_order(void **state)
{
	static double		random[N], sorted[N], reversed[N];
	struct rt_operand	o = random_doubles(4);

	(void)state;
	rt_fill(&o, random);
	o.rt_order = 's';
	rt_fill(&o, sorted);
	o.rt_order = 'r';
	rt_fill(&o, reversed);
	assert_true(descents(random, N) > N / 3);
	assert_int_equal(descents(sorted, N), 0);
	for (int i = 0; i < N; i++)
		assert_true(reversed[i] == sorted[N - 1 - i]);
	qsort(random, N, sizeof random[0], compare_doubles);
	assert_memory_equal(random, sorted, sizeof sorted);
}

static void
test_rt_fill_X1_nearly_sorted_differs_from_sorted_by_so_many_swaps(void **state)
{
	static double		sorted[N], nearly[N];
	struct rt_operand	o = random_doubles(4);
	int			moved = 0;

	(void)state;
	o.rt_order = 's';
	rt_fill(&o, sorted);
	o.rt_order = 'n';
	rt_fill(&o, nearly);
	assert_memory_equal(nearly, sorted, sizeof sorted);	/* of no swaps */
	o.rt_swaps = 0.01;
	rt_fill(&o, nearly);
	for (int i = 0; i < N; i++)
		moved += nearly[i] != sorted[i];
	assert_in_range(moved, N / 100, 2 * N / 100);
	qsort(nearly, N, sizeof nearly[0], compare_doubles);
	assert_memory_equal(nearly, sorted, sizeof sorted);
}

#define ASSERT_SORTED(type, letter, low, high) do {						\
	static char		 at[N * sizeof(type) + 1];					\
	struct rt_operand	 o = { .rt_class = (letter), .rt_bytes = sizeof(type),		\
				     .rt_count = N, .rt_init = 'r', .rt_seed = 6,		\
				     .rt_low = (low), .rt_high = (high), .rt_order = 's' };	\
	type			 before, x;							\
												\
	rt_fill(&o, at + 1);									\
	memcpy(&before, at + 1, sizeof before);							\
	for (int i = 1; i < N; i++, before = x) {						\
		memcpy(&x, at + 1 + (size_t)i * sizeof x, sizeof x);				\
		assert_true(before <= x);							\
	}											\
	memcpy(&x, at + 1, sizeof x);								\
	assert_true(x < before);								\
} while (0)

static void
test_rt_fill_X1_every_type_is_sorted_by_value_at_odd_addresses_too(void **state)
{
	(void)state;
	ASSERT_SORTED(int8_t, 'i', -100, 100);
	ASSERT_SORTED(int16_t, 'i', -30000, 30000);
	ASSERT_SORTED(int32_t, 'i', -0x1p31, 0x1p31 - 1);
	ASSERT_SORTED(int64_t, 'i', -0x1p62, 0x1p62);
	ASSERT_SORTED(uint8_t, 'u', 0, 255);
	ASSERT_SORTED(uint16_t, 'u', 0, 65535);
	ASSERT_SORTED(uint32_t, 'u', 0, 0x1p32 - 1);
	ASSERT_SORTED(uint64_t, 'u', 0, 0x1p64);
	ASSERT_SORTED(unsigned char, 'b', 0, 1);
	ASSERT_SORTED(float, 'f', -1, 1);
	ASSERT_SORTED(double, 'f', -1, 1);
	ASSERT_SORTED(long double, 'f', -1, 1);
}

static void
test_rt_fill_X1_an_order_of_none_or_one_element_is_none(void **state)
{
	double			a[2] = { 7, 7 };
	struct rt_operand	o = random_doubles(4);

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		o.rt_order = "snr"[i];
		o.rt_swaps = 1;
		o.rt_count = 0;
		rt_fill(&o, a);
		assert_true(a[0] == 7);
		o.rt_count = 1;
		rt_fill(&o, a);
		assert_true(a[0] < 1 && a[1] == 7);
		a[0] = 7;
	}
}

static int
count_distinct(const struct rt_operand *o)
{
	static double	x[N];
	int		found = 1;

	rt_fill(o, x);
	qsort(x, N, sizeof x[0], compare_doubles);
	for (int i = 1; i < N; i++)
		found += x[i] != x[i - 1];
	return found;
}

static void
test_rt_fill_X1_so_many_reals_are_distinct(void **state)
{
	struct rt_operand	o = random_doubles(5);

	(void)state;
	assert_int_equal(count_distinct(&o), N);
	for (unsigned n = 1; n <= 100; n += 33) {
		o.rt_distinct = n;
		assert_int_equal(count_distinct(&o), n);
	}
}

static void
test_rt_fill_X1_so_many_integers_are_distinct_though_the_range_is_narrow(void **state)
{
	static signed char	a[N];
	struct rt_operand	o = { .rt_class = 'i', .rt_bytes = 1, .rt_count = N,
				    .rt_init = 'r', .rt_low = -3, .rt_high = 4 };

	(void)state;
	for (unsigned n = 1; n <= 8; n++) {
		int	seen[8] = { 0 }, found = 0;

		o.rt_distinct = n;
		rt_fill(&o, a);
		for (int i = 0; i < N; i++) {
			assert_in_range(a[i] + 3, 0, 7);
			found += seen[a[i] + 3]++ == 0;
		}
		assert_int_equal(found, n);
	}
}

static void
test_rt_fill_X1_a_share_of_the_elements_is_0_in_every_type(void **state)
{
	static double		d[N];
	static double complex	c[N];
	struct rt_operand	o = random_doubles(5);
	int			zeros = 0;

	(void)state;
	o.rt_zeros = 0.9;
	rt_fill(&o, d);
	o.rt_class = 'c';
	o.rt_bytes = sizeof c[0];
	rt_fill(&o, c);
	for (int i = 0; i < N; i++) {
		assert_true((d[i] == 0) == (creal(c[i]) == 0 && cimag(c[i]) == 0));
		zeros += d[i] == 0;
	}
	assert_in_range(zeros, N * 88 / 100, N * 92 / 100);
}

static void
test_rt_fill_X1_a_text_is_words_of_letters_in_lines(void **state)
{
	static char		a[N];
	struct rt_operand	o = { .rt_class = 'i', .rt_bytes = 1, .rt_count = N,
				    .rt_init = 't', .rt_seed = 3 };
	int			word = 0, line = 0, lengths[RT_TEXT_WORD + 1] = { 0 };

	(void)state;
	rt_fill(&o, a);
	assert_int_equal(a[N - 1], '\n');
	for (int i = 0; i < N - 1; i++, line++) {
		if (a[i] >= 'a' && a[i] <= 'z') {
			word++;
			continue;
		}
		assert_in_range(word, 1, RT_TEXT_WORD);
		lengths[word]++;
		word = 0;
		if (a[i] != '\n') {
			assert_int_equal(a[i], ' ');
			assert_true(line < RT_TEXT_LINE);
			continue;
		}
		assert_in_range(line, RT_TEXT_LINE, RT_TEXT_LINE + RT_TEXT_WORD);
		line = -1;
	}
	for (int i = 1; i <= RT_TEXT_WORD; i++)
		assert_true(lengths[i] > 0);
}

static void
test_rt_fill_X1_texts_and_orders_follow_seed_and_secret(void **state)
{
	static char		a[N * 8], b[N * 8];
	struct rt_operand	text = { .rt_class = 'i', .rt_bytes = 1, .rt_count = N,
				    .rt_init = 't', .rt_seed = 3 };
	struct rt_operand	nearly = { .rt_class = 'i', .rt_bytes = 8, .rt_count = N,
				    .rt_init = 'r', .rt_seed = 3, .rt_high = 1e6,
				    .rt_order = 'n', .rt_swaps = 0.01, .rt_zeros = 0.5,
				    .rt_distinct = 100 };
	struct rt_operand	*each[] = { &text, &nearly };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const size_t	bytes = each[i]->rt_count * each[i]->rt_bytes;

		assert_true(rt_is_random(each[i]));
		rt_fill(each[i], a);
		rt_fill(each[i], b);
		assert_memory_equal(a, b, bytes);
		rt_fill_secret(each[i], 7, b);
		assert_memory_not_equal(a, b, bytes);
		rt_fill_secret(each[i], 8, a);
		assert_memory_not_equal(a, b, bytes);
		rt_fill_secret(each[i], 8, b);
		assert_memory_equal(a, b, bytes);
		each[i]->rt_seed = 4;
		rt_fill_secret(each[i], 8, b);
		assert_memory_not_equal(a, b, bytes);
	}
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
		cmocka_unit_test(
		    test_rt_fill_X1_sorted_and_reversed_are_the_random_numbers_in_that_order),
		cmocka_unit_test(
		    test_rt_fill_X1_nearly_sorted_differs_from_sorted_by_so_many_swaps),
		cmocka_unit_test(
		    test_rt_fill_X1_every_type_is_sorted_by_value_at_odd_addresses_too),
		cmocka_unit_test(test_rt_fill_X1_an_order_of_none_or_one_element_is_none),
		cmocka_unit_test(test_rt_fill_X1_so_many_reals_are_distinct),
		cmocka_unit_test(
		    test_rt_fill_X1_so_many_integers_are_distinct_though_the_range_is_narrow),
		cmocka_unit_test(test_rt_fill_X1_a_share_of_the_elements_is_0_in_every_type),
		cmocka_unit_test(test_rt_fill_X1_a_text_is_words_of_letters_in_lines),
		cmocka_unit_test(test_rt_fill_X1_texts_and_orders_follow_seed_and_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

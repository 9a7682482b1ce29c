/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/search/call_times.h"
#include "client/search/groups.h"

/*
 * Two applications that time their own routine in place (tests/oracle/apps), each call in ns, on a virtual machine
 * whose host has other things to do: axpy on vectors of 40000 and of 10000, a stencil on 192 x 192 points.
 */
static const double	drift[] = {
	70708, 54205.6, 38736, 38741.6, 38743.2, 38750.4, 38766.4, 38733.6, 38734.4, 38734.4, 38743.2, 38743.2,
	38737.6, 66636, 40705.6, 38789.6, 38847.2, 38756.8, 38741.6, 38800, 38844.8, 38791.2, 38788.8, 38735.2,
	38940, 38744.8, 38744, 38740, 38742.4, 38744, 38764.8, 38735.2, 38734.4, 38748, 38734.4, 38749.6,
	38743.2, 38734.4, 38743.2, 38734.4,
};
static const double	small_drift[] = {
	18714.4, 9712.8, 9698.4, 9720, 9699.2, 9699.2, 9699.2, 9699.2, 9699.2, 9699.2, 9698.4, 9699.2, 9699.2,
	9699.2, 9700, 9699.2, 9699.2, 9698.4, 9699.2, 9699.2, 9698.4, 9699.2, 9699.2, 9699.2, 9699.2, 9699.2,
	15689.6, 9700.8, 9700, 9699.2, 9699.2, 9699.2, 9700, 9699.2, 9699.2, 9699.2, 9700, 9699.2, 9700,
	9709.6, 9699.2, 9699.2, 9699.2, 9698.4, 9699.2, 9699.2, 9699.2, 9699.2, 9699.2, 9700, 9699.2, 9699.2,
	9699.2, 9699.2, 9699.2, 9699.2, 9699.2, 9700, 9699.2, 9699.2,
};
static const double	heat[] = {
	79292.7, 55378.7, 54227.6, 54239.6, 54467.6, 54157.2, 54059.6, 54450.8, 54250.8, 63903.9, 54403.6,
	54258.8, 54278, 54298, 54308.4, 54374, 54170, 54239.6, 54257.2, 54338.8, 54295.6, 54201.2, 54102.8,
	54318, 54384.4, 54205.2, 60297.7, 54387.6, 54217.2, 54050, 54278.8, 54285.2, 54182.8, 54342.8, 54355.6,
	53896.4, 54058, 54224.4, 54210, 54321.2, 54387.6, 54167.6, 54502, 54306, 58904.2, 54190.8, 54127.6,
	54342, 54106, 54031.6, 54254, 54287.6, 54370.8, 6302499, 62335.2, 54460.4, 54171.6, 63969.5, 54251.6,
	54176.4,
};

#define N(array)	(sizeof (array) / sizeof (array)[0])

static struct groups
split(const double *ns, size_t n)
{
	struct groups	g;
	struct fault	why;

	if (groups_split(&g, ns, n, &why) != ST_OK)
		fail_msg("%s", why.text);
	return g;
}

static uint64_t	noise_state = 1;

static double
noise(double share)
{
	noise_state = noise_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return 1 + share * (2 * (double)(noise_state >> 40) / (double)(1 << 24) - 1);
}

static void
test_groups_P42_first_cold_calls_are_told_from_the_warm_ones(void **state)
{
	static const struct {
		const double	*ns;
		size_t		 n, early;
		double		 early_ns, late_ns;
		size_t		 aside_least, aside_most;
	} runs[] = {
		{ drift, N(drift), 2, 62457, 38743, 1, 1 },
		{ small_drift, N(small_drift), 1, 18714, 9699, 1, 1 },
		{ heat, N(heat), 1, 79293, 54260, 1, 6 },
	};

	(void)state;
	for (size_t i = 0; i < N(runs); i++) {
		struct groups	g = split(runs[i].ns, runs[i].n);

		assert_int_equal(g.n, 2);
		assert_string_equal(group_name(g.group[0].kind), "early");
		assert_int_equal(g.group[0].calls, runs[i].early);
		assert_float_equal(g.group[0].median_ns, runs[i].early_ns, 1);
		assert_string_equal(group_name(g.group[1].kind), "late");
		assert_float_equal(g.group[1].median_ns, runs[i].late_ns, 0.002 * runs[i].late_ns);
		assert_in_range(g.set_aside, runs[i].aside_least, runs[i].aside_most);
		assert_int_equal(g.group[0].calls + g.group[1].calls + g.set_aside, runs[i].n);
	}
}

static void
test_groups_X3_shares_of_the_time_add_up_to_1_without_the_calls_set_aside(void **state)
{
	const double	ns[] = { 3000, 1000, 1000, 1000, 1000, 1000, 1000, 90000, 1000, 1000, 1000,
			    1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000 };
	const double	same[] = { 10, 10, 10, 10 };
	struct groups	g = split(ns, N(ns));

	(void)state;
	assert_true(g.n == 2 && g.set_aside == 1);
	assert_float_equal(g.group[0].share, 3.0 / 22, 1e-12);
	assert_float_equal(g.group[0].share + g.group[1].share, 1, 1e-12);
	g = split(same, N(same));
	assert_true(g.n == 1 && g.group[0].share == 1);
}

static void
test_groups_calls_of_one_kind_are_one_group(void **state)
{
	double		ns[500];
	struct groups	g;

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		for (unsigned i = 0; i < 500; i++)
			ns[i] = 1000 * noise(0.08);
		g = split(ns, 500);
		assert_int_equal(g.n, 1);
		assert_string_equal(group_name(g.group[0].kind), "all");
		assert_int_equal(g.group[0].calls, 500);
	}
	for (unsigned i = 0; i < 500; i++)
		ns[i] = 7;
	assert_int_equal(split(ns, 500).n, 1);
}

static void
test_groups_an_interruption_among_warm_calls_is_set_aside(void **state)
{
	double		ns[1000];
	struct groups	g;

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		ns[i] = (i < 4 ? 4000 : 1300) * noise(0.02);
	ns[200] = 90000;
	ns[700] = 5000;
	g = split(ns, 1000);
	assert_int_equal(g.n, 2);
	assert_string_equal(group_name(g.group[0].kind), "early");
	assert_int_equal(g.group[0].calls, 4);
	assert_float_equal(g.group[0].median_ns, 4000, 100);
	assert_int_equal(g.group[1].calls, 994);
	assert_int_equal(g.set_aside, 2);
}

static void
test_groups_interruptions_alone_make_no_group(void **state)
{
	double		ns[300];
	struct groups	g;

	(void)state;
	for (unsigned i = 0; i < 300; i++)
		ns[i] = 1300 * noise(0.02);
	ns[50] = ns[51] = 8000;
	g = split(ns, 300);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.set_aside, 2);
	assert_int_equal(g.group[0].calls, 298);
}

static void
test_groups_that_alternate_are_slow_and_fast(void **state)
{
	double		ns[100];
	struct groups	g;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		ns[i] = (i % 5 == 0 ? 3000 : 1000) * noise(0.02);
	g = split(ns, 100);
	assert_int_equal(g.n, 2);
	assert_string_equal(group_name(g.group[0].kind), "slow");
	assert_int_equal(g.group[0].calls, 20);
	assert_string_equal(group_name(g.group[1].kind), "fast");
	assert_int_equal(g.group[1].calls, 80);
}

static void
test_groups_scatter_as_wide_as_the_gap_is_no_split(void **state)
{
	double	ns[200];

	(void)state;
	for (unsigned i = 0; i < 200; i++)
		ns[i] = (i < 100 ? 1250 : 1000) * noise(0.2);
	assert_int_equal(split(ns, 200).n, 1);
}

static void
test_groups_times_that_are_none_are_refused(void **state)
{
	static const double	bad[][4] = { { 1, 2, 0, 4 }, { 1, -1, 1, 1 }, { 1, 1, 1, INFINITY } };
	struct groups		g;
	struct fault		why;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(groups_split(&g, bad[i], 4, &why), ST_BAD_REQUEST);
	assert_int_equal(groups_split(&g, drift, 3, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "too few"));
}

static void
test_groups_times_are_read_with_their_units(void **state)
{
	static const struct {
		const char	*text;
		double		 ns;
	} good[] = { { "12.3us", 12300 }, { "7", 7 }, { "1.5 ms", 1.5e6 }, { "2s", 2e9 }, { "3 ns ", 3 },
	    { "4\xc2\xb5s", 4000 } };
	static const char *const	bad[] = { "", "us", "0", "-1us", "1 m", "1us us", "nan", "inf", "1e999",
	    "12,3us" };
	struct fault	why;
	double		ns;

	(void)state;
	for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_int_equal(call_times_parse_one(good[i].text, &ns, &why), ST_OK);
		assert_float_equal(ns, good[i].ns, 1e-6 * good[i].ns);
	}
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(call_times_parse_one(bad[i], &ns, &why), ST_BAD_REQUEST);
		assert_true(why.hint[0] != '\0');
	}
}

static void
test_groups_files_are_lines_or_a_json_array(void **state)
{
	static const char *const	same[] = { "# calls\n12us\n 3000 # third\n\n1ms", "[12000, \"3us\", 1e6]",
				    "12us\r\n3us\r\n1ms\r\n",
				    "{\"application\": \"a\", \"calls_ns\": [12000, 3000, 1e6]}" };
	struct fault	why;
	double		*ns;
	size_t		 n;

	(void)state;
	for (unsigned i = 0; i < N(same); i++) {
		assert_int_equal(call_times_parse(same[i], &ns, &n, &why), ST_OK);
		assert_int_equal(n, 3);
		assert_float_equal(ns[0], 12000, 1e-6);
		assert_float_equal(ns[1], 3000, 1e-6);
		assert_float_equal(ns[2], 1e6, 1e-3);
		free(ns);
	}
	assert_int_equal(call_times_parse("1us\ntwo\n", &ns, &n, &why), ST_BAD_REQUEST);
	assert_null(ns);
	assert_string_equal(why.member, "line 2");
	assert_int_equal(call_times_parse("[1, null]", &ns, &n, &why), ST_BAD_REQUEST);
	assert_int_equal(call_times_parse("{\"calls\": [1]}", &ns, &n, &why), ST_BAD_REQUEST);
	assert_int_equal(call_times_parse("[1, ", &ns, &n, &why), ST_BAD_REQUEST);
	assert_int_equal(call_times_parse(" \n\n", &ns, &n, &why), ST_OK);
	assert_int_equal(n, 0);
	free(ns);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups_P42_first_cold_calls_are_told_from_the_warm_ones),
		cmocka_unit_test(
		    test_groups_X3_shares_of_the_time_add_up_to_1_without_the_calls_set_aside),
		cmocka_unit_test(test_groups_calls_of_one_kind_are_one_group),
		cmocka_unit_test(test_groups_an_interruption_among_warm_calls_is_set_aside),
		cmocka_unit_test(test_groups_interruptions_alone_make_no_group),
		cmocka_unit_test(test_groups_that_alternate_are_slow_and_fast),
		cmocka_unit_test(test_groups_scatter_as_wide_as_the_gap_is_no_split),
		cmocka_unit_test(test_groups_times_that_are_none_are_refused),
		cmocka_unit_test(test_groups_times_are_read_with_their_units),
		cmocka_unit_test(test_groups_files_are_lines_or_a_json_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/search/weighted.h"

enum { COLD, WARM };

static struct result
timed(const char *name, double ns)
{
	struct result	r;

	result_clear(&r);
	r.name = name;
	r.binary = "b";
	r.status = ns >= 0 ? "ok" : "crashed";
	r.has_time = ns >= 0;
	r.time.value_ns = ns;
	return r;
}

static void
add(struct weighted *w, size_t context, struct result *r, size_t n)
{
	const struct results	all = { NULL, r, n };
	struct fault		why;

	assert_int_equal(weighted_add(w, context, &all, &why), ST_OK);
}

static struct weighted
two_contexts(double cold, double warm)
{
	return (struct weighted){ .contexts = 2, .weight = { cold, warm } };
}

/* Unrolled: fast when warm, slow when cold.  How many calls are cold decides. */
static void
test_weighted_X3_the_best_is_that_of_the_mean_over_all_calls(void **state)
{
	struct result	cold[] = { timed("rolled", 200), timed("unrolled", 400) };
	struct result	warm[] = { timed("unrolled", 30), timed("rolled", 40) };

	(void)state;
	for (int often = 0; often < 2; often++) {
		struct weighted	w = two_contexts(1, often ? 99 : 9);

		add(&w, COLD, cold, 2);
		add(&w, WARM, warm, 2);
		weighted_rank(&w);
		assert_true(w.n == 2 && w.ranked == 2);
		assert_string_equal(w.variant[0].name, often ? "unrolled" : "rolled");
		assert_true(w.variant[0].mean_ns == (often ? (400 + 99 * 30) / 100.0 :
		    (200 + 9 * 40) / 10.0));
		weighted_release(&w);
	}
}

static void
test_weighted_X3_weights_count_in_any_unit(void **state)
{
	struct result	one[] = { timed("a", 100) }, other[] = { timed("a", 300) };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct weighted	w = i == 0 ? two_contexts(0.25, 0.75) : two_contexts(1000, 3000);

		add(&w, COLD, one, 1);
		add(&w, WARM, other, 1);
		weighted_rank(&w);
		assert_true(w.variant[0].mean_ns == 250);
		weighted_release(&w);
	}
}

static void
test_weighted_X3_a_variant_without_an_ok_time_in_a_context_is_left_out_and_counted(void **state)
{
	struct result	cold[] = { timed("fast", 1), timed("failed", 2), timed("both", 90) };
	struct result	warm[] = { timed("failed", -1), timed("both", 10) };
	struct weighted	w = two_contexts(1, 1);

	(void)state;
	add(&w, COLD, cold, 3);
	add(&w, WARM, warm, 2);
	weighted_rank(&w);
	assert_true(w.n == 3 && w.ranked == 1);
	assert_string_equal(w.variant[0].name, "both");
	assert_true(w.missing[COLD] == 0 && w.missing[WARM] == 2);
	assert_true(isnan(w.variant[1].mean_ns));
	weighted_release(&w);
}

static void
test_weighted_X3_a_variant_is_known_by_name_and_binary_and_its_last_time_counts(void **state)
{
	struct result	cold[] = { timed("a", 100), timed("a", 120), timed("a", 7) };
	struct result	warm[] = { timed("a", 10) };
	struct weighted	w = two_contexts(1, 1);

	(void)state;
	cold[2].binary = "another";
	add(&w, COLD, cold, 3);
	add(&w, WARM, warm, 1);
	weighted_rank(&w);
	assert_true(w.n == 2 && w.ranked == 1);
	assert_true(w.variant[0].mean_ns == 65);
	weighted_release(&w);
}

static void
test_weighted_X3_a_time_of_0_ns_is_one_and_the_fastest(void **state)
{
	struct result	cold[] = { timed("some", 1), timed("nothing", 0), timed("failed", 1) };
	struct result	warm[] = { timed("nothing", 0), timed("some", 1), timed("failed", -1) };
	struct weighted	w = two_contexts(1, 1);

	(void)state;
	add(&w, COLD, cold, 3);
	add(&w, WARM, warm, 3);
	weighted_rank(&w);
	assert_true(w.n == 3 && w.ranked == 2);
	assert_string_equal(w.variant[0].name, "nothing");
	assert_true(w.variant[0].mean_ns == 0 && w.variant[0].ns[WARM] == 0);
	assert_true(w.missing[COLD] == 0 && w.missing[WARM] == 1);
	weighted_release(&w);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_weighted_X3_the_best_is_that_of_the_mean_over_all_calls),
		cmocka_unit_test(test_weighted_X3_weights_count_in_any_unit),
		cmocka_unit_test(
		    test_weighted_X3_a_variant_without_an_ok_time_in_a_context_is_left_out_and_counted),
		cmocka_unit_test(
		    test_weighted_X3_a_variant_is_known_by_name_and_binary_and_its_last_time_counts),
		cmocka_unit_test(test_weighted_X3_a_time_of_0_ns_is_one_and_the_fastest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

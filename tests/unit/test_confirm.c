/* SPDX-License-Identifier: Apache-2.0 */
/* The best of several, by comparisons that a rule on simulated pairs decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/search/confirm.h"
#include "tests/support/dice.h"
#include "worker/stop/paired.h"

enum { TRIALS = 400, MOST = 10 };

static uint64_t	seed;
static double	truth[MOST];		/* each job's true time; its id is its place and 100 */

/* The logistic distribution's quantile: longer tails than a normal one's. */
static double
noise(void)
{
	double	u = dice_uniform(&seed);

	return 0.003 * log(u / (1 - u));
}

/* Of b against a, as a worker finds it. */
static struct paired
compare(double error, double a, double b)
{
	const struct contest	rule = { .error = error, .resolution = 0, .max_pairs = SPEC_PAIRS };
	const unsigned		each = paired_group(SPEC_PAIRS, 0), most = SPEC_PAIRS / each;
	struct paired_ratio	r[SPEC_PAIRS];
	struct paired		p = { .verdict = VERDICT_UNDECIDED };
	unsigned		n = 0;

	for (unsigned look = 0; look < most && p.verdict == VERDICT_UNDECIDED;) {
		look = paired_next_look(look, most);
		for (; n < look * each; n++)
			r[n] = (struct paired_ratio){ b / a * (1 + noise()) / (1 + noise()),
			    n / each };
		assert_int_equal(paired_look(&rule, paired_looks(most), r, n, look == most, &p),
		    ST_OK);
	}
	return p;
}

/* Takes the documents. */
static struct results
read_all(json_t *documents)
{
	struct results	r;
	struct fault	why;

	assert_int_equal(results_read(&r, documents, &why), ST_OK);
	json_decref(documents);
	return r;
}

static double
truth_of(const json_t *ids, size_t i)
{
	return truth[json_integer_value(json_array_get(ids, i)) - 100];
}

/* What compare.run gives for these params.  A negative error: the one of the params. */
static struct results
answer_to(const json_t *params, double error)
{
	const json_t	*ids = json_object_get(params, "ids");
	json_t		*results = json_array();
	const json_t	*rule = json_object_get(params, "rule");
	double		 asked = json_number_value(json_object_get(rule, "error"));

	for (size_t i = 1; i < json_array_size(ids); i++) {
		struct paired	p = compare(error < 0 ? asked : error, truth_of(ids, 0),
				    truth_of(ids, i));

		(void)json_array_append_new(results,
		    json_pack("{s:{s:s, s:f}}", "comparison", "verdict", verdict_name(p.verdict),
		    "ratio", p.ratio));
	}
	return read_all(results);
}

static struct results
seeming_order(size_t n)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(list,
		    json_pack("{s:i, s:s+}", "job", (int)i + 100, "name", "v",
		    (const char[]){ (char)('0' + i), '\0' }));
	return read_all(list);
}

static unsigned
distinctions_in(const struct results *round)
{
	unsigned	n = 0;

	for (size_t i = 0; i < round->n; i++)
		n += strcmp(round->at[i].comparison.found.verdict, "indistinguishable") != 0;
	return n;
}

/* All rounds; what was found, new reference.  *distinctions: comparisons with a winner. */
static json_t *
tournament(size_t n, double error_each, unsigned *distinctions)
{
	struct results	 list = seeming_order(n);
	json_t		*params, *found;
	struct confirm	 r;
	struct fault	 why;

	*distinctions = 0;
	assert_int_equal(confirm_init(&r, &list, 0.05, &why), ST_OK);
	while ((params = confirm_next_round(&r)) != NULL) {
		struct results	round = answer_to(params, error_each);

		confirm_add_round(&r, &round);
		*distinctions += distinctions_in(&round);
		results_release(&round);
		json_decref(params);
	}
	found = confirm_outcome(&r);
	assert_true(json_array_size(r.all) <= r.comparisons);
	confirm_release(&r);
	results_release(&list);
	return found;
}

/* In how many of TRIALS tournaments among equal ones, any was found faster than another. */
static unsigned
wrong_among_equals(size_t n, double error_each)
{
	unsigned	wrong = 0;

	for (size_t i = 0; i < MOST; i++)
		truth[i] = 1;
	for (unsigned i = 0; i < TRIALS; i++) {
		unsigned	 distinctions;
		json_t		*found = tournament(n, error_each, &distinctions);

		wrong += distinctions > 0;
		assert_int_equal(json_is_true(json_object_get(found, "distinguishable")),
		    json_array_size(json_object_get(found, "ties")) == 0);
		json_decref(found);
	}
	print_message("best of %zu, %s: wrong in %u of %u\n", n,
	    error_each < 0 ? "corrected" : "5 % each", wrong, TRIALS);
	return wrong;
}

static void
test_confirm_W63_equal_ones_are_told_apart_no_more_often_than_stated_however_many_there_are(void **state)
{
	const unsigned	most = (unsigned)(TRIALS * 0.05 + 4 * sqrt(TRIALS * 0.05 * 0.95));

	(void)state;
	seed = 42;
	assert_true(wrong_among_equals(3, -1) <= most);
	assert_true(wrong_among_equals(6, -1) <= most);
	assert_true(wrong_among_equals(MOST, -1) <= most);
	assert_true(wrong_among_equals(MOST, 0.05) > 2 * most);	/* hence the correction */
}

static void
test_confirm_the_best_is_found_wherever_it_seemed_to_be(void **state)
{
	unsigned	right = 0, distinctions;

	(void)state;
	seed = 43;
	for (unsigned i = 0; i < 100; i++) {
		json_t	*found;

		for (size_t j = 0; j < 5; j++)
			truth[j] = 1.03;
		truth[i % 5] = 1;
		found = tournament(5, -1, &distinctions);
		right += json_integer_value(json_object_get(found, "job")) == 100 + (int)(i % 5) &&
		    json_is_true(json_object_get(found, "distinguishable"));
		json_decref(found);
	}
	assert_true(right >= 95);
}

static void
test_confirm_what_was_found_says_how_the_error_was_shared(void **state)
{
	unsigned	 distinctions;
	json_t		*found, *c;

	(void)state;
	seed = 44;
	for (size_t i = 0; i < 4; i++)
		truth[i] = 1 + 0.05 * (double)i;
	found = tournament(4, -1, &distinctions);
	c = json_object_get(found, "correction");
	assert_float_equal(json_number_value(json_object_get(found, "error")), 0.05, 0);
	assert_string_equal(json_string_value(json_object_get(c, "method")), "bonferroni");
	assert_int_equal(json_integer_value(json_object_get(c, "comparisons")), 6);
	assert_float_equal(json_number_value(json_object_get(c, "error_each")), 0.05 / 6, 1e-15);
	assert_int_equal(json_integer_value(json_object_get(found, "rounds")), 1);
	assert_int_equal(json_integer_value(json_object_get(found, "job")), 100);
	assert_true(json_is_true(json_object_get(found, "distinguishable")));
	json_decref(found);
}

/* "faster" in the first round, the champion's own comparison in the second has none: it failed. */
static void
test_confirm_a_comparison_that_failed_makes_the_best_no_certain_one(void **state)
{
	struct results	 list = seeming_order(3);
	struct results	 first = read_all(json_pack("[{s:{s:s, s:f}}, {s:{s:s, s:f}}]",
			    "comparison", "verdict", "faster", "ratio", 0.9,
			    "comparison", "verdict", "indistinguishable", "ratio", 1.0));
	struct results	 second = read_all(json_pack("[{s:n}]", "comparison"));
	json_t		*params, *found, *ids;
	struct confirm	 r;
	struct fault	 why;

	(void)state;
	assert_int_equal(confirm_init(&r, &list, 0.05, &why), ST_OK);
	assert_non_null(params = confirm_next_round(&r));
	json_decref(params);
	confirm_add_round(&r, &first);
	assert_non_null(params = confirm_next_round(&r));
	ids = json_object_get(params, "ids");
	assert_int_equal(json_array_size(ids), 2);		/* the beaten one is out */
	assert_int_equal(json_integer_value(json_array_get(ids, 0)), 101);
	json_decref(params);
	confirm_add_round(&r, &second);
	assert_null(confirm_next_round(&r));
	found = confirm_outcome(&r);
	assert_int_equal(json_integer_value(json_object_get(found, "failed")), 1);
	assert_true(json_is_false(json_object_get(found, "distinguishable")));
	json_decref(found);
	confirm_release(&r);
	results_release(&first);
	results_release(&second);
	results_release(&list);
}

static void
test_confirm_of_one_job_needs_no_round(void **state)
{
	struct results	 list = seeming_order(1);
	json_t		*found;
	struct confirm	 r;
	struct fault	 why;

	(void)state;
	assert_int_equal(confirm_init(&r, &list, 0.05, &why), ST_OK);
	assert_null(confirm_next_round(&r));
	found = confirm_outcome(&r);
	assert_int_equal(json_integer_value(json_object_get(found, "rounds")), 0);
	assert_true(json_is_true(json_object_get(found, "distinguishable")));
	json_decref(found);
	confirm_release(&r);
	results_release(&list);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_confirm_W63_equal_ones_are_told_apart_no_more_often_than_stated_however_many_there_are),
		cmocka_unit_test(test_confirm_the_best_is_found_wherever_it_seemed_to_be),
		cmocka_unit_test(test_confirm_what_was_found_says_how_the_error_was_shared),
		cmocka_unit_test(test_confirm_a_comparison_that_failed_makes_the_best_no_certain_one),
		cmocka_unit_test(test_confirm_of_one_job_needs_no_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

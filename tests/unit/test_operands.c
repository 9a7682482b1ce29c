/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/search/operands.h"

static const struct operands_caches	caches = { 32 << 10, 1 << 20, 32 << 20 };

/* A job of a routine of x, which is read, and y, which is written; they have n doubles each. */
static json_t *
job_of(long long n, const char *more)
{
	char		 text[1024];
	json_t		*doc;
	json_error_t	 error;

	(void)snprintf(text, sizeof text,
	    "{\"variant\":{\"source\":\"void f(void);\"},\"spec\":{"
	    "\"routine\":\"void f(int n, const double *x, double *y)\",\"context\":\"warm\","
	    "\"args\":{\"n\":1,\"x\":{\"dims\":[%lld]%s},\"y\":{\"dims\":[%lld]}}}}",
	    n, more, n);
	doc = json_loads(text, 0, &error);
	assert_non_null(doc);
	return doc;
}

static size_t
searched(json_t *job, struct states_operand *out)
{
	struct fault	why;
	size_t		n;

	assert_int_equal(operands_searched(job, &caches, out, OPERANDS_MOST, &n, &why), ST_OK);
	return n;
}

static void
test_operands_have_the_levels_that_they_fit_into(void **state)
{
	static const struct {
		long long	n;
		unsigned	read, written;
	} cases[] = {
		{ 1000, 1u << LEVEL_L2 | 1u << LEVEL_L3 | 1u << LEVEL_L3_DIRTY,
		  1u << LEVEL_L2 | 1u << LEVEL_L3 },
		{ 100000, 1u << LEVEL_L2 | 1u << LEVEL_L3 | 1u << LEVEL_L3_DIRTY,
		  1u << LEVEL_L2 | 1u << LEVEL_L3 },
		{ 1000000, 1u << LEVEL_L3 | 1u << LEVEL_L3_DIRTY, 1u << LEVEL_L3 },
		{ 8000000, 0, 0 },
	};
	const unsigned	always = 1u << LEVEL_WARM | 1u << LEVEL_MEMORY;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct states_operand	 found[OPERANDS_MOST];
		json_t			*job = job_of(cases[i].n, "");

		assert_int_equal(searched(job, found), 2);
		assert_string_equal(found[0].name, "x");
		assert_int_equal(found[0].bytes, 8 * cases[i].n);
		assert_int_equal(found[0].may, always | 1u << LEVEL_WARM_DIRTY | cases[i].read);
		assert_int_equal(found[1].may, always | cases[i].written);
		json_decref(job);
	}
}

static void
test_operands_that_fill_the_first_cache_only_together_may_be_there(void **state)
{
	struct states_operand	 found[OPERANDS_MOST];
	json_t			*job = job_of(3000, "");	/* 24 kB each */

	(void)state;
	assert_int_equal(searched(job, found), 2);
	assert_true(found[0].may & 1u << LEVEL_L1);
	json_decref(job);
}

static void
test_operands_with_a_place_or_state_of_their_own_are_left_alone(void **state)
{
	static const char *const	own[] = { ",\"cache\":\"L2\"", ",\"state\":\"dirty\"" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct states_operand	 found[OPERANDS_MOST];
		json_t			*job = job_of(100000, own[i]);

		assert_int_equal(searched(job, found), 1);
		assert_string_equal(found[0].name, "y");
		json_decref(job);
	}
}

static void
test_operands_of_less_than_a_page_are_not_searched(void **state)
{
	struct states_operand	 found[OPERANDS_MOST];
	json_t			*job = job_of(500, "");

	(void)state;
	assert_int_equal(searched(job, found), 0);
	json_decref(job);
}

static void
test_operands_a_job_that_is_none_is_refused(void **state)
{
	struct states_operand	 found[OPERANDS_MOST];
	struct fault		 why;
	size_t			 n;
	json_t			*job = json_object();

	(void)state;
	assert_int_not_equal(operands_searched(job, &caches, found, OPERANDS_MOST, &n, &why),
	    ST_OK);
	json_decref(job);
}

static void
test_operands_a_state_becomes_members_of_a_spec(void **state)
{
	const struct states		s = { .noperands = 3,
		    .operand = { { .name = "a" }, { .name = "b" }, { .name = "c" } } };
	const struct states_point	p = { .level = { LEVEL_MEMORY, LEVEL_WARM,
					    LEVEL_WARM_DIRTY } };
	json_t				*members = operands_members(&s, &p);
	char				*text = json_dumps(members, JSON_SORT_KEYS);

	(void)state;
	assert_string_equal(text, "{\"a\": {\"cache\": \"cold\"}, \"c\": {\"state\": \"dirty\"}}");
	free(text);
	json_decref(members);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_operands_have_the_levels_that_they_fit_into),
		cmocka_unit_test(test_operands_that_fill_the_first_cache_only_together_may_be_there),
		cmocka_unit_test(test_operands_with_a_place_or_state_of_their_own_are_left_alone),
		cmocka_unit_test(test_operands_of_less_than_a_page_are_not_searched),
		cmocka_unit_test(test_operands_a_job_that_is_none_is_refused),
		cmocka_unit_test(test_operands_a_state_becomes_members_of_a_spec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

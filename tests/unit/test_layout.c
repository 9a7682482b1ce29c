/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/plan/layout.h"

#define PAIR(more)	"'routine': 'void f(double *x, char *y)', 'args': {'x': {'dims': [9], 'align': 64}," \
			" 'y': {'dims': [9], 'align': 8, 'misalign': 256}}, 'timing': {" more "}"
#define C_JOB(spec)	"{'variant': {'source': 'x'}, 'spec': {" spec "}}"

static struct layout	points[SPEC_MAX_LAYOUTS];

static unsigned
points_of(const char *text)
{
	struct job	j;
	unsigned	n;

	support_job(&j, text);
	memset(points, 0xff, sizeof points);
	layout_points(points, &j);
	n = j.spec.timing.layouts;
	job_release(&j);
	return n;
}

static bool
is_default_but(const struct layout *l, bool code, bool operands, bool stack)
{
	return (code || l->pad == 0) && (operands || (l->shift[0] == 0 && l->shift[1] == 0)) &&
	    (stack || l->stack_offset == 0);
}

static void
test_layout_a_sweep_varies_one_factor_at_a_time_around_the_default(void **state)
{
	static const enum layout_factor	want[] = {
		FACTOR_NONE, FACTOR_CODE, FACTOR_OPERANDS, FACTOR_STACK, FACTOR_CODE,
		    FACTOR_OPERANDS, FACTOR_STACK,
		FACTOR_ALL,
	};

	(void)state;
	assert_int_equal(points_of(C_JOB(PAIR("'layout': 'sweep'"))), 8);
	for (unsigned i = 0; i < 8; i++) {
		const struct layout	*l = &points[i];

		assert_int_equal(l->varied, want[i]);
		assert_true(l->varied == FACTOR_ALL || is_default_but(l, l->varied == FACTOR_CODE,
		    l->varied == FACTOR_OPERANDS, l->varied == FACTOR_STACK));
		assert_true(l->varied != FACTOR_CODE || l->pad != 0);
		assert_true(l->varied != FACTOR_STACK || l->stack_offset != 0);
		assert_true(l->varied != FACTOR_OPERANDS || (l->shift[0] != 0 && l->shift[1] != 0));
	}
	assert_int_not_equal(points[1].pad, points[4].pad);
}

static void
test_layout_two_layouts_are_the_default_and_one_that_differs_in_all(void **state)
{
	(void)state;
	assert_int_equal(points_of(C_JOB(PAIR("'layout': 'sweep', 'layouts': 2"))), 2);
	assert_int_equal(points[0].varied, FACTOR_NONE);
	assert_int_equal(points[1].varied, FACTOR_ALL);
}

static void
test_layout_W53_W54_no_offset_breaks_a_promise_of_align_or_misalign(void **state)
{
	bool	moved = false;

	(void)state;
	for (unsigned seed = 0; seed < 50; seed++) {
		char	text[512];

		(void)snprintf(text, sizeof text,
		    C_JOB(PAIR("'layout': 'random', 'layouts': 64, 'layout_seed': %u")), seed);
		assert_int_equal(points_of(text), 64);
		for (unsigned i = 0; i < 64; i++) {
			assert_int_equal(points[i].shift[0] % 64, 0);
			assert_int_equal(points[i].shift[1] % 256, 0);
			assert_true(points[i].shift[0] < 4096 && points[i].shift[1] < 4096);
			assert_int_equal(points[i].stack_offset % 16, 0);
			assert_true(points[i].stack_offset < 4096);
			moved |= points[i].shift[0] != 0 && points[i].shift[1] != 0;
		}
	}
	assert_true(moved);
}

static void
test_layout_random_pads_take_turns(void **state)
{
	unsigned	seen[LAYOUT_PADS] = { 0 };

	(void)state;
	assert_int_equal(points_of(C_JOB(PAIR("'layout': 'random', 'layouts': 8"))), 8);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(points[i].varied, FACTOR_ALL);
		seen[points[i].pad]++;
	}
	for (unsigned p = 0; p < LAYOUT_PADS; p++)
		assert_int_equal(seen[p], 2);
}

static void
test_layout_the_same_seed_gives_the_same_layouts_and_another_others(void **state)
{
	struct layout	first[8];

	(void)state;
	points_of(C_JOB(PAIR("'layout': 'random', 'layout_seed': 7")));
	memcpy(first, points, sizeof first);
	points_of("{'variant': {'source': 'another'}, 'spec': "
	    "{" PAIR("'layout': 'random', 'layout_seed': 7") "}}");
	assert_memory_equal(first, points, sizeof first);
	points_of(C_JOB(PAIR("'layout': 'random', 'layout_seed': 8")));
	assert_memory_not_equal(first, points, sizeof first);
}

static void
test_layout_what_cannot_be_varied_stays_and_says_why(void **state)
{
	struct job	j;

	(void)state;
	support_job(&j, "{'variant': {'language': 'shared', 'source': 'AAAA'}, 'spec': {'routine': "
	    "'void f(char *x)',"
	    "'args': {'x': {'dims': [9], 'align': 4096}}, 'timing': {'layout': 'sweep', "
	    "'layouts': 20}}}");
	assert_non_null(strstr(layout_stays(&j, FACTOR_CODE), "linked already"));
	assert_non_null(strstr(layout_stays(&j, FACTOR_OPERANDS), "page"));
	assert_null(layout_stays(&j, FACTOR_STACK));
	layout_points(points, &j);
	for (unsigned i = 1; i < 20; i++) {
		assert_true(points[i].varied == FACTOR_STACK || points[i].varied == FACTOR_ALL);
		assert_true(is_default_but(&points[i], false, false, true));
	}
	for (unsigned pad = 1; pad < LAYOUT_PADS; pad++)
		assert_false(layout_needs_pad(&j, pad));
	job_release(&j);
}

static void
test_layout_only_those_pads_are_needed_that_a_layout_has(void **state)
{
	struct job	j;

	(void)state;
	support_job(&j, C_JOB(PAIR("'layout': 'sweep', 'layouts': 4")));
	assert_false(layout_needs_pad(&j, 1));
	assert_true(layout_needs_pad(&j, 2));
	assert_false(layout_needs_pad(&j, 3));
	j.spec.timing.layout = LAYOUT_FIXED;
	assert_false(layout_needs_pad(&j, 2));
	job_release(&j);
}

static void
test_layout_an_object_behind_a_pad_has_a_name_of_its_own(void **state)
{
	const struct hash	variant = { "00" }, other = { "01" };
	struct hash		a, b, c, again;

	(void)state;
	assert_int_equal(layout_artifact(&variant, 1, &a), ST_OK);
	assert_int_equal(layout_artifact(&variant, 2, &b), ST_OK);
	assert_int_equal(layout_artifact(&other, 1, &c), ST_OK);
	assert_int_equal(layout_artifact(&variant, 1, &again), ST_OK);
	assert_string_equal(a.hex, again.hex);
	assert_string_not_equal(a.hex, b.hex);
	assert_string_not_equal(a.hex, c.hex);
	assert_int_equal(strlen(a.hex), HASH_HEX);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_layout_a_sweep_varies_one_factor_at_a_time_around_the_default),
		cmocka_unit_test(test_layout_two_layouts_are_the_default_and_one_that_differs_in_all),
		cmocka_unit_test(test_layout_W53_W54_no_offset_breaks_a_promise_of_align_or_misalign),
		cmocka_unit_test(test_layout_random_pads_take_turns),
		cmocka_unit_test(test_layout_the_same_seed_gives_the_same_layouts_and_another_others),
		cmocka_unit_test(test_layout_what_cannot_be_varied_stays_and_says_why),
		cmocka_unit_test(test_layout_only_those_pads_are_needed_that_a_layout_has),
		cmocka_unit_test(test_layout_an_object_behind_a_pad_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

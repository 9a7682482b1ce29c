/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/bench/challenge.h"
#include "worker/check/answer.h"
#include "worker/runner/sample/rt.h"

/* Operands of three sizes: below a page, beyond one, and one that is only written. */
#define SPEC	"{'routine': 'double f(const double *x, double *y, float *z)', 'args': {" \
		"'x': {'dims': [300], 'align': 16, 'misalign': 64}, 'y': {'dims': [1000]}, " \
		"'z': {'dims': [7], 'access': 'out'}}}"
enum { X, Y, Z, OPERANDS };

static const uint64_t	bytes_of[OPERANDS] = { 2400, 8000, 28 };
static struct challenge	c;
static struct job	job;

/* What challenge_make says of a spec; c is made by it. */
static const char *
make(const char *spec)
{
	support_spec_job(&job, spec);
	return challenge_make(&c, &job.spec);
}

static int
end(void **state)
{
	(void)state;
	job_release(&job);
	return 0;
}

static void
test_challenge_operands_have_their_place_in_a_line_or_if_long_in_a_page(void **state)
{
	(void)state;
	assert_null(make(SPEC));
	assert_int_equal(c.operands, OPERANDS);
	for (int k = 0; k < OPERANDS; k++)
		assert_int_equal(c.operand[k].bytes, bytes_of[k]);
	assert_int_equal(c.operand[X].unit, 64);
	assert_int_equal(c.operand[Y].unit, 4096);
	assert_int_equal(c.operand[Z].unit, 64);
	assert_int_equal(c.unit, 4096);
	assert_false(c.operand[X].is_written);
	assert_true(c.operand[Y].is_written && c.operand[Z].is_written);
}

static void
test_challenge_an_alignment_beyond_a_line_is_kept(void **state)
{
	(void)state;
	assert_null(make("{'routine': 'int f(const int *x, const int *y)', 'args': {"
	    "'x': {'dims': [5], 'align': 512}, 'y': {'dims': [5], 'misalign': 1024}}}"));
	assert_int_equal(c.operand[0].unit, 512);
	assert_int_equal(c.operand[1].unit, 1024);
	assert_int_equal(c.unit, 1024);
}

static void
assert_lies_as_at(const uint64_t *home, uint32_t calls)
{
	const struct runner_challenge	l = challenge_lay(&c, home, calls);
	uint64_t			end_of_last = 0;

	assert_int_equal(l.calls, calls);
	for (int k = 0; k < OPERANDS; k++) {
		assert_int_equal(l.at[k] % c.operand[k].unit, home[k] % c.operand[k].unit);
		assert_true(l.at[k] >= end_of_last);
		end_of_last = l.at[k] + bytes_of[k];
	}
	assert_true(l.set_bytes >= end_of_last);	/* the next set begins behind this one */
	assert_int_equal(l.set_bytes % c.unit, 0);	/* its operands lie alike */
	assert_true(l.set_bytes <= c.bytes);
}

static void
test_challenge_wherever_operands_lie_sets_lie_so_too_and_never_overlap(void **state)
{
	(void)state;
	assert_null(make(SPEC));
	for (uint64_t x = 0; x < 128; x += 16)
		for (uint64_t y = 0; y < 8192; y += 8)
			assert_lies_as_at((const uint64_t[]){ 4096 + x, y, 77 * y }, 4);
}

static void
test_challenge_its_area_holds_as_many_sets_as_it_may_have_calls(void **state)
{
	static const struct { const char *dims; uint32_t calls; } sizes[] = {
		{ "1", RUNNER_BATCH }, { "1000", 341 }, { "1000000", 1 }, { "8000000", 1 },
	};
	char	spec[256];

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		snprintf(spec, sizeof spec, "{'routine': 'double f(const double *x)', 'args': {"
		    "'x': {'dims': [%s]}}}", sizes[i].dims);
		assert_null(make(spec));
		assert_int_equal(challenge_most_calls(&c), sizes[i].calls);
		assert_int_equal(challenge_area_bytes(&c),
		    RUNNER_SETS_AT + sizes[i].calls * c.bytes);
		job_release(&job);
	}
	assert_null(make(SPEC));
}

/* The stale input of a routine that has x, so made; NULL: none is. */
static const char *
stale_of(const char *x, const char *made)
{
	static char	name[32];
	char		spec[512];

	snprintf(spec, sizeof spec, "{'routine': 'double f(double *y, %s)', 'params': {'N': 513}, "
	    "'args': {'y': {'dims': [2]}, 'x': {%s}}}", x, made);
	assert_null(make(spec));
	snprintf(name, sizeof name, "%s", c.stale != NULL ? c.stale : "");
	job_release(&job);
	return c.stale != NULL ? name : NULL;
}

static void
test_challenge_an_input_longer_than_a_page_that_is_never_drawn_anew_is_named(void **state)
{
	(void)state;
	assert_string_equal(stale_of("const double *x", "'dims': ['N'], 'init': 'index'"), "x");
	assert_string_equal(stale_of("const double *x", "'dims': ['N'], 'init': {'value': 3}"),
	    "x");
	assert_null(stale_of("const double *x", "'dims': ['N - 1'], 'init': 'index'"));
	assert_null(stale_of("const double *x", "'dims': ['N']"));
	assert_null(stale_of("const long *x", "'dims': ['N'], 'init': 'permutation'"));
	assert_null(stale_of("double *x", "'dims': ['N'], 'init': 'index'"));
	assert_null(stale_of("double *x", "'dims': ['N'], 'access': 'out'"));
	assert_null(make(SPEC));
}

static void
test_challenge_a_routine_that_cannot_be_challenged_has_a_reason(void **state)
{
	static const char *const	specs[][2] = {
		{ "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [5], "
		    "'init': 'index'}}}", "no input is random" },
		{ "{'routine': 'void f(double *x)', 'args': {'x': {'dims': [5], "
		    "'access': 'out'}}}", "no input is random" },
		{ "{'routine': 'int f(int n)', 'args': {'n': 5}}", "no input is random" },
		{ "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [5], "
		    "'align': 8192}}}", "aligned beyond a page" },
		{ "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [5], "
		    "'misalign': 8192}}}", "aligned beyond a page" },
		{ "{'routine': 'int f(const double *x)', 'args': {'x': {'dims': [16000000]}}}",
		    "too large" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		const char	*why = make(specs[i][0]);

		assert_non_null(why);
		assert_non_null(strstr(why, specs[i][1]));
		job_release(&job);
	}
	assert_null(make(SPEC));
}

/* ---- outputs ---- */

/* An area of zeros for as many calls. */
static struct runner_challenge
lay_some(uint32_t calls, char **area)
{
	static const uint64_t		home[OPERANDS] = { 16, 0, 4 };
	const struct runner_challenge	l = challenge_lay(&c, home, calls);

	assert_non_null(*area = calloc(1, RUNNER_SETS_AT + calls * l.set_bytes));
	return l;
}

static void
fill(char *area, const struct runner_challenge *l, uint32_t nth, int operand, char with)
{
	memset(area + RUNNER_SETS_AT + nth * l->set_bytes + l->at[operand], with,
	    bytes_of[operand]);
}

static void
test_challenge_outputs_that_change_later_are_noticed_and_inputs_may(void **state)
{
	struct challenge_glance	g;
	struct runner_challenge	l;
	char			*area;

	(void)state;
	assert_null(make(SPEC));
	l = lay_some(1, &area);
	challenge_glance(&c, &l, area, 7, &g);
	assert_true(g.n > RT_MAX_RESULT && g.n <= CHALLENGE_GLANCES);
	fill(area, &l, 0, X, 1);
	assert_true(challenge_glance_holds(&g, area));
	for (int k = Y; k <= Z; k++) {
		fill(area, &l, 0, k, 1);
		assert_false(challenge_glance_holds(&g, area));
		fill(area, &l, 0, k, 0);
		assert_true(challenge_glance_holds(&g, area));
	}
	free(area);
}

static void
test_challenge_a_last_result_that_changes_later_is_noticed_whatever_the_outputs_are(void **state)
{
	struct challenge_glance	g;
	struct runner_challenge	l;
	char			*area;

	(void)state;
	assert_null(make("{'routine': 'double f(const double *x)', 'args': {'x': {'dims': [9]}}}"));
	l = challenge_lay(&c, (const uint64_t[]){ 0 }, 3);
	assert_non_null(area = calloc(1, RUNNER_SETS_AT + 3 * l.set_bytes));
	challenge_glance(&c, &l, area, 7, &g);
	assert_int_equal(g.n, RT_MAX_RESULT);	/* there are no outputs */
	for (int i = 0; i < 3 * RT_MAX_RESULT; i++) {
		area[i] = 1;
		assert_true(challenge_glance_holds(&g, area) == (i < 2 * RT_MAX_RESULT));
		area[i] = 0;
	}
	free(area);
}

static void
test_challenge_glances_go_to_every_set_by_turns_that_the_seed_decides(void **state)
{
	enum { CALLS = 8, SEEDS = 16 };
	struct challenge_glance	g[SEEDS];
	struct runner_challenge	l;
	char			*area;

	(void)state;
	assert_null(make(SPEC));
	l = lay_some(CALLS, &area);
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		challenge_glance(&c, &l, area, seed, &g[seed]);
	assert_memory_not_equal(g[0].at + RT_MAX_RESULT, g[1].at + RT_MAX_RESULT,
	    4 * sizeof g[0].at[0]);
	for (uint32_t nth = 0; nth < CALLS; nth++) {
		unsigned	noticed = 0;

		fill(area, &l, nth, Y, 1);
		for (int i = 0; i < SEEDS; i++)
			noticed += !challenge_glance_holds(&g[i], area);
		fill(area, &l, nth, Y, 0);
		assert_true(noticed > SEEDS / 2);
	}
	free(area);
}

/* Where worker/check/answer.h looks for them: a wrong one is found and named. */
static void
test_challenge_outputs_are_read_where_answers_are_compared(void **state)
{
	struct answer		a = { .rtol = 0 };
	struct runner_challenge	l;
	char			*area, *sets, *got, *want;

	(void)state;
	assert_null(make(SPEC));
	l = lay_some(2, &area);
	sets = area + RUNNER_SETS_AT;
	got = calloc(1, answer_output_bytes(&job.spec));
	want = calloc(1, answer_output_bytes(&job.spec));
	assert_true(got != NULL && want != NULL);
	*(float *)(void *)(sets + l.set_bytes + l.at[Z] + 24) = 3;
	*(double *)(void *)(sets + l.set_bytes + l.at[X]) = 5;	/* which is no output */
	challenge_read(&c, &l, sets, want);
	challenge_read(&c, &l, sets + l.set_bytes, got);
	answer_outputs(&a, &job.spec, got, want);
	assert_int_equal(a.wrong, 1);
	assert_string_equal(a.bad_operand, "z");
	assert_int_equal(a.bad_index, 6);
	assert_true(a.got.re == 3 && a.want.re == 0);
	free(area);
	free(got);
	free(want);
}

#define TEST(name)	cmocka_unit_test_teardown(test_challenge_##name, end)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(operands_have_their_place_in_a_line_or_if_long_in_a_page),
		TEST(an_alignment_beyond_a_line_is_kept),
		TEST(wherever_operands_lie_sets_lie_so_too_and_never_overlap),
		TEST(its_area_holds_as_many_sets_as_it_may_have_calls),
		TEST(an_input_longer_than_a_page_that_is_never_drawn_anew_is_named),
		TEST(a_routine_that_cannot_be_challenged_has_a_reason),
		TEST(outputs_that_change_later_are_noticed_and_inputs_may),
		TEST(a_last_result_that_changes_later_is_noticed_whatever_the_outputs_are),
		TEST(glances_go_to_every_set_by_turns_that_the_seed_decides),
		TEST(outputs_are_read_where_answers_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a metric's samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "worker/take/metric.h"

/* A library whose nth sample is values[n]; the order `fail_at` fails. */
struct fake {
	double		values[4];
	unsigned	orders, fail_at;
	enum status	fail;
	uint32_t	kinds[2];
};

static enum status
fake_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct fake	*f = arg;

	f->kinds[f->orders++ % 2] = run->kind;
	snprintf(a->words, sizeof a->words, "order %u", f->orders);
	if (f->orders == f->fail_at)
		return a->status = f->fail;
	a->samples = run->samples;
	for (unsigned i = 0; i < run->samples; i++)
		a->sample[i].metric = f->values[i];
	return a->status = ST_OK;
}

/* Of four samples with five calls each. */
static enum status
take(struct metric_taken *m, struct fake *f, const struct metric *asked)
{
	static struct bench_reply	answer;
	const struct take_setting	with = { .orders = { fake_run, f } };
	const struct plan		plan = { .samples = 4, .run = { .calls = 5 } };

	metric_begin(m, asked);
	metric_name(m, asked, &(struct bench_metric){ "energy", "J" });
	return metric_run(m, &plan, &with, &answer);
}

static struct metric_report
report_of(const struct metric_taken *m, double iterations, struct shape_list *all)
{
	assert_true(metric_report(m, iterations, all));
	assert_int_equal(all->n, 1);
	return *(struct metric_report *)all->at;
}

static void
release(struct shape_list *all)
{
	free(((struct metric_report *)all->at)->samples.x);
	free(all->at);
}

static void
test_L24_a_call_and_an_iteration_have_their_parts_of_a_sample(void **state)
{
	struct metric_taken	m;
	struct fake		f = { .values = { 40, 10, 20, 30 } };
	struct shape_list	all;
	struct metric_report	r;

	(void)state;
	assert_int_equal(take(&m, &f, &(struct metric){ .present = true }), ST_OK);
	r = report_of(&m, 2, &all);
	assert_string_equal(r.name, "energy");
	assert_string_equal(r.unit, "J");
	assert_true(r.per_call.min == 2 && r.per_call.median == 5 && r.per_call.max == 8);
	assert_true(r.has_per_iteration && r.per_iteration.median == 2.5);
	assert_true(r.samples.n == 4 && r.samples.x[0] == 40 && r.calls == 5);
	assert_null(r.absent);
	assert_int_equal(f.kinds[0], RUNNER_SAMPLE);
	assert_int_equal(f.kinds[1], RUNNER_CLOSE);
	release(&all);
	assert_false(report_of(&m, NAN, &all).has_per_iteration);
	release(&all);
}

static void
test_metric_the_jobs_name_is_before_the_librarys(void **state)
{
	struct metric_taken	m;
	struct fake		f = { .values = { 1, 1, 1, 1 } };
	char			name[] = "joules";

	(void)state;
	assert_int_equal(take(&m, &f, &(struct metric){ .name = name }), ST_OK);
	assert_string_equal(m.name, "joules");
	assert_string_equal(m.unit, "J");
}

static void
test_metric_that_fails_is_absent_with_the_reason(void **state)
{
	static const struct { struct fake f; enum status st; const char *words; } bad[] = {
		{ { .values = { 1, NAN, 1, 1 } }, ST_OK, "evaluationStop less evaluationStart is "
		    "not a number in sample 2 of 4" },
		{ { .values = { 1, 1, 1, -INFINITY } }, ST_OK, "evaluationStop less "
		    "evaluationStart is infinite in sample 4 of 4" },
		{ { .fail_at = 1, .fail = ST_CRASHED }, ST_OK, "order 1" },
		{ { .fail_at = 2, .fail = ST_LOAD_FAILED }, ST_OK, "order 2" },
		{ { .fail_at = 1, .fail = ST_CANCELLED }, ST_CANCELLED, "order 1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct metric_taken	m;
		struct fake		f = bad[i].f;
		struct shape_list	all;
		struct metric_report	r;

		assert_int_equal(take(&m, &f, &(struct metric){ .present = true }), bad[i].st);
		r = report_of(&m, 2, &all);
		assert_string_equal(r.absent, bad[i].words);
		assert_false(r.has_per_call || r.has_per_iteration || r.samples.n != 0);
		release(&all);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_L24_a_call_and_an_iteration_have_their_parts_of_a_sample),
		cmocka_unit_test(test_metric_the_jobs_name_is_before_the_librarys),
		cmocka_unit_test(test_metric_that_fails_is_absent_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

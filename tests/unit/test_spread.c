/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/take/spread.h"

/*
 * A supervisor that is made of numbers: every process takes a second, and the n-th sample n ns more
 * than base_ns.
 */
struct fake {
	unsigned	 processes;
	struct layout	 seen[2 * SPEC_MAX_LAYOUTS];
	struct plan	 plan[2 * SPEC_MAX_LAYOUTS];
	double		 base_ns;
	uint64_t	 left_ns;
	unsigned	 fail_at;		/* the how-manieth process crashes; 0: none */
};

#define SECOND	UINT64_C(1000000000)

static enum status
fake_take(void *arg, const struct layout *l, struct plan *p, struct take *k, uint64_t *code_at)
{
	struct fake	*f = arg;

	f->seen[f->processes] = *l;
	f->plan[f->processes] = *p;
	f->left_ns -= f->left_ns < SECOND ? f->left_ns : SECOND;
	*code_at = 0x7000 + 16 * l->pad;
	if (++f->processes == f->fail_at)
		return ST_CRASHED;
	if (!p->calls_given)
		p->run.calls = 77;
	k->sample = calloc(p->samples, sizeof *k->sample);
	assert_non_null(k->sample);
	for (k->samples = 0; k->samples < p->samples; k->samples++)
		k->sample[k->samples].ns = f->base_ns + 100 * l->pad + (double)k->samples;
	k->taken = k->clean = p->samples;
	k->pinned = true;
	k->clock = k->own_clock = f->processes == 3 ? 1.15 : 1;
	k->slow_clock = k->gate_failed = k->clock > 1;
	return ST_OK;
}

static uint64_t
fake_left(void *arg)
{
	return ((struct fake *)arg)->left_ns;
}

static struct job	job;
static struct plan	plan;

static enum status
run(struct spread *s, struct fake *f, const char *timing, unsigned *at)
{
	const struct spread_worker	worker = { fake_take, fake_left, f };
	char				text[512];

	(void)snprintf(text, sizeof text,
	    "{'variant': {'source': 'x'}, 'spec': {'routine': 'void f(double *x)',"
	    "'args': {'x': {'dims': [9]}}, 'timing': {%s}}}", timing);
	support_job(&job, text);
	plan = (struct plan){ .samples = 7, .budget_ns = 800 };
	f->base_ns = 1000;
	if (f->left_ns == 0)
		f->left_ns = 1000 * SECOND;
	return spread_take(s, &job, &plan, &worker, at);
}

static void
test_spread_a_sweep_goes_there_and_back_so_that_drift_falls_on_all_alike(void **state)
{
	struct fake	f = { 0 };
	struct spread	s;
	unsigned	at;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'sweep', 'layouts': 5", &at), ST_OK);
	assert_int_equal(f.processes, 10);
	for (unsigned i = 0; i < 5; i++) {
		assert_memory_equal(&f.seen[i], &f.seen[9 - i], sizeof f.seen[i]);
		assert_int_equal(s.point[i].rounds, 2);
		assert_int_equal(s.point[i].samples[0], 4);
		assert_int_equal(s.point[i].code_offset, 16 * s.point[i].layout.pad);
	}
	assert_false(s.cut_short);
	spread_release(&s);
	job_release(&job);
}

static void
test_spread_all_layouts_are_timed_with_the_calls_of_the_first(void **state)
{
	struct fake	f = { 0 };
	struct spread	s;
	unsigned	at;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'random', 'layouts': 6", &at), ST_OK);
	assert_int_equal(f.processes, 6);
	assert_false(f.plan[0].calls_given);
	for (unsigned i = 1; i < 6; i++) {
		assert_true(f.plan[i].calls_given);
		assert_int_equal(f.plan[i].run.calls, 77);
		assert_int_equal(f.plan[i].run.stack_offset, f.seen[i].stack_offset);
		assert_int_equal(f.plan[i].samples, SPREAD_LEAST);
		assert_int_equal(f.plan[i].budget_ns, 800 / 6);
	}
	assert_int_equal(plan.run.calls, 77);
	spread_release(&s);
	job_release(&job);
}

/* They were found for the time's own samples, which come first. */
static void
test_spread_a_sweep_has_the_calls_of_the_samples_before_it(void **state)
{
	struct fake	f = { 0 };
	struct spread	s;
	unsigned	at;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'sweep', 'layouts': 4", &at), ST_OK);
	for (unsigned i = 0; i < f.processes; i++)
		assert_true(f.plan[i].calls_given);
	assert_int_equal(plan.run.calls, 0);		/* as the plan had them */
	spread_release(&s);
	job_release(&job);
}

static void
test_spread_random_layouts_count_with_the_median_of_each(void **state)
{
	struct fake	f = { 0 };
	struct spread	s;
	struct take	k;
	unsigned	at;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'random', 'layouts': 6", &at), ST_OK);
	assert_int_equal(spread_medians(&s, &k), ST_OK);
	assert_int_equal(k.samples, 6);
	assert_int_equal(k.taken, 6 * SPREAD_LEAST);
	assert_true(k.pinned);
	assert_true(k.slow_clock && k.gate_failed);	/* of one of them */
	assert_true(k.clock == 1.15 && k.own_clock == 1.15);
	for (unsigned i = 0; i < 6; i++)
		assert_true(k.sample[i].ns == 1000 + 100 * f.seen[i].pad + 1);
	take_release(&k);
	spread_release(&s);
	job_release(&job);
}

static void
test_spread_the_wall_limit_ends_it_early_and_it_says_so(void **state)
{
	struct fake	f = { .left_ns = 5 * SECOND };
	struct spread	s;
	struct take	k;
	unsigned	at;
	struct report	r;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'random'", &at), ST_OK);
	assert_true(s.cut_short);
	assert_int_equal(f.processes, 3);
	report_clear(&r);
	assert_true(spread_report(&s, &job, 0, &r.layout));
	assert_true(r.layout.cut_short);
	assert_int_equal(r.layout.points.n, 3);
	assert_int_equal(spread_medians(&s, &k), ST_OK);
	assert_int_equal(k.samples, 3);
	assert_true(k.cut_short);
	report_release(&r);
	take_release(&k);
	spread_release(&s);
	job_release(&job);
}

static void
test_spread_the_layout_that_fails_is_told(void **state)
{
	struct fake	f = { .fail_at = 7 };
	struct spread	s;
	unsigned	at;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'sweep', 'layouts': 4", &at), ST_CRASHED);
	assert_int_equal(at, 1);		/* on the way back */
	spread_release(&s);
	job_release(&job);
}

static void
test_spread_the_report_has_every_layout_with_its_offsets_and_times(void **state)
{
	struct fake			 f = { 0 };
	struct spread			 s;
	struct report			 r;
	unsigned			 at;
	const struct layout_point	*code;
	const struct shape_note		*stay;

	(void)state;
	assert_int_equal(run(&s, &f, "'layout': 'sweep', 'layouts': 4, 'layout_seed': 3", &at),
	    ST_OK);
	report_clear(&r);
	assert_true(spread_report(&s, &job, 0, &r.layout));
	assert_string_equal(r.layout.mode, "sweep");
	assert_int_equal(r.layout.seed, 3);
	code = (const struct layout_point *)r.layout.points.at + 1;
	assert_string_equal(code->varied, "code");
	assert_int_equal(code->code_offset, 32);
	assert_int_equal(code->operand_shift.n, 1);
	assert_int_equal(code->rounds.n, 2);
	assert_int_equal(r.layout.stays.n, 0);
	report_release(&r);
	s.point[1].code_offset = 0;		/* as if the pad had moved nothing */
	assert_true(spread_report(&s, &job, 0, &r.layout));
	assert_int_equal(r.layout.stays.n, 1);
	stay = r.layout.stays.at;
	assert_string_equal(stay->name, "code");
	report_release(&r);
	spread_release(&s);
	job_release(&job);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_spread_a_sweep_goes_there_and_back_so_that_drift_falls_on_all_alike),
		cmocka_unit_test(test_spread_a_sweep_has_the_calls_of_the_samples_before_it),
		cmocka_unit_test(test_spread_all_layouts_are_timed_with_the_calls_of_the_first),
		cmocka_unit_test(test_spread_random_layouts_count_with_the_median_of_each),
		cmocka_unit_test(test_spread_the_wall_limit_ends_it_early_and_it_says_so),
		cmocka_unit_test(test_spread_the_layout_that_fails_is_told),
		cmocka_unit_test(test_spread_the_report_has_every_layout_with_its_offsets_and_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

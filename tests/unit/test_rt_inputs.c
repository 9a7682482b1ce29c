/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that take turns: which one a region meets, where, and what is left afterwards. */
#include "tests/support/axpy.h"
#include "worker/runner/sample/inputs.h"

enum { INPUTS = 5, SETS = 8 };
static struct runner_lane	lane;

static struct runner_run
run_of(enum runner_data data, uint64_t input, uint32_t samples)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = samples, .calls = 1,
				    .restore = RUNNER_RESTORE, .data = data, .input = input };

	memset(run.place, RUNNER_WARM, sizeof run.place);
	run.inputs[0] = run.inputs[1] = INPUTS;
	return run;
}

static void
take(struct rt_timer *t, const struct runner_run *run)
{
	memset(&seen, 0, sizeof seen);
	assert_true(rt_run_is_sound(t, run));
	assert_true(rt_run_ready(t, run));
	rt_run_samples(t, (rt_code *)routine, run, &lane);
}

static double
first_of(const struct rt_timer *t, uint32_t k, uint64_t n)
{
	double	x[N];

	rt_inputs_put(&t->sets.live[k], n, (char *)x);
	return x[0];
}

static void
test_rt_inputs_the_first_is_the_given_one_and_no_two_are_alike(void **state)
{
	struct rt_timer	t;

	(void)state;
	make(&t);
	assert_true(first_of(&t, 0, 0) == *(const double *)(const void *)t.sets.live[0].first);
	for (uint64_t i = 0; i < INPUTS; i++)
		for (uint64_t j = 0; j < i; j++)
			assert_true(first_of(&t, 0, i) != first_of(&t, 0, j));
	assert_true(first_of(&t, 0, 1) != first_of(&t, 1, 1));
	rt_timer_release(&t);
}

static void
test_rt_inputs_each_sample_meets_the_next_and_begins_again_after_the_last(void **state)
{
	const struct runner_run	run = run_of(RUNNER_ROTATE, 3, 2 * INPUTS);
	struct rt_timer		t;

	(void)state;
	make(&t);
	take(&t, &run);
	assert_int_equal(seen.calls, run.samples);
	for (unsigned i = 0; i < run.samples; i++) {
		assert_true(seen.x_first[i] == first_of(&t, 0, (3 + i) % INPUTS));
		assert_true(seen.y_first[i] == first_of(&t, 1, (3 + i) % INPUTS));
	}
	rt_timer_release(&t);
}

static void
test_rt_inputs_an_order_for_the_given_one_finds_it_at_home_again(void **state)
{
	const struct runner_run	rotates = run_of(RUNNER_ROTATE, 1, 3);
	const struct runner_run	given = run_of(RUNNER_GIVEN, 0, 2);
	struct rt_timer		t;
	const double		*x;

	(void)state;
	make(&t);
	x = (const double *)(const void *)t.sets.live[0].home;
	take(&t, &rotates);
	assert_ptr_not_equal(seen.x[0], x);	/* children share the pages there */
	take(&t, &given);
	assert_ptr_equal(seen.x[1], x);
	assert_true(seen.x_first[1] == first_of(&t, 0, 0));
	assert_true(seen.y_first[1] == first_of(&t, 1, 0));
	rt_timer_release(&t);
}

static void
test_rt_inputs_the_same_is_drawn_where_novel_ones_are_but_is_the_given_one(void **state)
{
	const struct runner_run	same = run_of(RUNNER_SAME, 0, 4), novel = run_of(RUNNER_NOVEL, 0,
				    4), later = run_of(RUNNER_NOVEL, 4, 4);
	struct rt_timer		t;
	struct seen		first;

	(void)state;
	make(&t);
	take(&t, &same);
	for (unsigned i = 0; i < 4; i++)
		assert_true(seen.x_first[i] == first_of(&t, 0, 0));
	first = seen;
	take(&t, &novel);
	for (unsigned i = 0; i < 4; i++) {
		assert_ptr_equal(seen.x[i], first.x[i]);
		for (uint64_t n = 0; n < INPUTS; n++)
			assert_true(seen.x_first[i] != first_of(&t, 0, n));
	}
	first = seen;
	take(&t, &later);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned j = 0; j < 4; j++)
			assert_true(seen.x_first[i] != first.x_first[j]);
	rt_timer_release(&t);
}

static void
test_rt_inputs_an_operand_that_was_not_asked_for_keeps_its_own(void **state)
{
	struct runner_run	run = run_of(RUNNER_ROTATE, 1, 3);
	struct rt_timer		t;

	(void)state;
	make(&t);
	run.inputs[1] = 0;
	take(&t, &run);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(seen.x_first[i] == first_of(&t, 0, 1 + i));
		assert_true(seen.y_first[i] == first_of(&t, 1, 0));
	}
	rt_timer_release(&t);
}

static void
test_rt_inputs_untimed_calls_before_the_samples_are_on_the_given_one(void **state)
{
	struct runner_run	run = run_of(RUNNER_ROTATE, 1, 1);
	struct rt_timer		t;

	(void)state;
	make(&t);
	run.warm_calls = 2;
	take(&t, &run);
	assert_int_equal(seen.calls, 3);
	assert_true(seen.x_first[0] == first_of(&t, 0, 0));
	assert_true(seen.x_first[2] == first_of(&t, 0, 1));
	rt_timer_release(&t);
}

static void
test_rt_inputs_in_a_stroll_each_call_has_one_of_its_own(void **state)
{
	struct runner_run	run = run_of(RUNNER_ROTATE, 0, 2);
	struct rt_timer		t;

	(void)state;
	make(&t);
	run.walk = RUNNER_STROLL;
	run.calls = SETS;
	assert_false(rt_run_is_sound(&t, &run));	/* there are no sets */
	assert_null(rt_sets_make_far(&t.sets, SETS, 3, NULL));
	take(&t, &run);
	assert_int_equal(seen.calls, 2 * SETS);
	for (unsigned i = 0; i < 2 * SETS; i++) {
		assert_true(seen.x_first[i] == first_of(&t, 0, i % INPUTS));
		assert_true(seen.y_first[i] == first_of(&t, 1, i % INPUTS));
		assert_ptr_equal(seen.x[i], seen.x[i % SETS]);
	}
	rt_timer_release(&t);
}

static void
test_rt_inputs_working_sets_have_them_by_turns_and_are_restored_to_their_own(void **state)
{
	uint16_t	inputs[RT_MAX_OPERANDS] = { INPUTS, INPUTS };
	struct runner_run run = run_of(RUNNER_ROTATE, 0, 3);
	struct rt_timer	t;

	(void)state;
	make(&t);
	assert_null(rt_sets_make_far(&t.sets, SETS, 3, inputs));
	run.walk = RUNNER_FORWARD;
	run.calls = SETS;
	memset(run.place, RUNNER_COLD, sizeof run.place);
	take(&t, &run);
	for (unsigned i = 0; i < 3 * SETS; i++) {
		assert_true(seen.x_first[i] == first_of(&t, 0, i % SETS % INPUTS));
		assert_true(seen.y_first[i] == first_of(&t, 1, i % SETS % INPUTS));
	}
	rt_timer_release(&t);
}

static void
test_rt_inputs_given_data_are_slices_one_behind_the_other(void **state)
{
	static const unsigned char	given[] = { 1, 2, 3, 4, 5, 6 };
	const struct rt_operand		o = { .rt_class = 'u', .rt_bytes = 1, .rt_count = 2,
					    .rt_stride = 1, .rt_access = 'i', .rt_init = 'd',
					    .rt_data = given, .rt_data_bytes = sizeof given };
	struct rt_operand		single = o, index = o;
	const struct rt_live		l = { .operand = &o };
	unsigned char			at[2];

	(void)state;
	single.rt_data_bytes = 2;
	index.rt_init = 'n';
	assert_true(rt_inputs_vary(&o));
	assert_false(rt_inputs_vary(&single));
	assert_false(rt_inputs_vary(&index));
	for (uint64_t n = 0; n < 6; n++) {
		rt_inputs_put(&l, n, (char *)at);
		assert_int_equal(at[0], 1 + 2 * (n % 3));
		assert_int_equal(at[1], 2 + 2 * (n % 3));
	}
}

static void
test_rt_inputs_the_negated_copy_has_the_same_input(void **state)
{
	const struct rt_driver	d = turning_driver();
	const struct runner_run	run = run_of(RUNNER_ROTATE, 1, 4);
	struct rt_timer		t;

	(void)state;
	assert_null(rt_timer_make(&t, &d, &setup));
	rt_timer_enter(&t);
	rt_inputs_enter(&t.sets, &run);
	rt_inputs_draw(&t.sets, &run, NULL, 2);
	assert_true(*(double *)(void *)t.sets.live[0].home != 0);
	assert_true(*(double *)(void *)t.sets.live[0].home ==
	    -*(double *)(void *)(t.sets.live[0].home + t.sets.live[0].twin_bytes));
	rt_inputs_leave(&t.sets, &run);
	assert_ptr_equal(t.sets.live[0].home, t.sets.live[0].first);
	rt_timer_release(&t);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_inputs_the_first_is_the_given_one_and_no_two_are_alike),
		cmocka_unit_test(
		    test_rt_inputs_each_sample_meets_the_next_and_begins_again_after_the_last),
		cmocka_unit_test(test_rt_inputs_an_order_for_the_given_one_finds_it_at_home_again),
		cmocka_unit_test(
		    test_rt_inputs_the_same_is_drawn_where_novel_ones_are_but_is_the_given_one),
		cmocka_unit_test(test_rt_inputs_an_operand_that_was_not_asked_for_keeps_its_own),
		cmocka_unit_test(
		    test_rt_inputs_untimed_calls_before_the_samples_are_on_the_given_one),
		cmocka_unit_test(test_rt_inputs_in_a_stroll_each_call_has_one_of_its_own),
		cmocka_unit_test(
		    test_rt_inputs_working_sets_have_them_by_turns_and_are_restored_to_their_own),
		cmocka_unit_test(test_rt_inputs_given_data_are_slices_one_behind_the_other),
		cmocka_unit_test(test_rt_inputs_the_negated_copy_has_the_same_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

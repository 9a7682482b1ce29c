/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <sys/mman.h>

#include "proto/base/clock.h"
#include "tests/support/axpy.h"
#include "worker/runner/method/result.h"
#include "worker/runner/method/surroundings.h"

enum { PAGE = 4096 };

/*
 * Faults of this thread while every operand of the home set is read, and written if it may be; the
 * fewest of a few times: the kernel may take a page away at any moment.
 */
static uint32_t
faults_of_use(struct rt_timer *t)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 5, .calls = 1 };
	static struct runner_lane lane;
	uint32_t		fewest;

	rt_run_samples(t, (rt_code *)routine, &run, &lane);	/* pages of stack and program */
	rt_run_samples(t, (rt_code *)routine, &run, &lane);
	fewest = lane.sample[0].faults;
	for (uint32_t i = 1; i < run.samples; i++)
		fewest = lane.sample[i].faults < fewest ? lane.sample[i].faults : fewest;
	return fewest;
}

static void
test_rt_sample_W50_a_child_that_has_entered_meets_no_page_fault_in_a_sample(void **state)
{
	struct rt_timer	t;
	int		status;
	pid_t		pid;

	(void)state;
	assert_null(rt_timer_make(&t, &driver, &setup));
	if ((pid = fork()) == 0) {
		rt_timer_enter(&t);
		_exit(faults_of_use(&t) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	rt_timer_release(&t);
}

static void
test_rt_sample_samples_of_an_inout_operand_all_begin_with_the_same_input(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 5, .calls = 2,
	    .restore = RUNNER_RESTORE, .warm_calls = 1 };
	static struct runner_lane	lane;
	struct rt_timer			t;

	(void)state;
	make(&t);
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 1 + 5 * 2);
	for (int i = 0; i < 5; i++) {
		assert_true(seen.y_first[1 + 2 * i] == seen.y_first[1]);
		assert_true(seen.y_first[2 + 2 * i] != seen.y_first[1]);
		assert_int_equal(lane.sample[i].ticks, 2);
	}
	rt_timer_release(&t);
}

static void
test_rt_sample_the_memory_canary_is_read_where_it_is_asked_for(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 2 };
	static struct runner_lane	lane;
	struct rt_timer			t;

	(void)state;
	make(&t);
	assert_null(rt_sets_make_far(&t.sets, 8, 2, NULL));
	rt_sets_enter_far(&t.sets);
	for (unsigned asked = 0; asked < 2; asked++)
		for (run.walk = RUNNER_STAY; run.walk <= RUNNER_BACKWARD; run.walk++) {
			run.memory_canary = asked;
			rt_run_samples(&t, (rt_code *)routine, &run, &lane);
			for (int i = 0; i < 3; i++)
				assert_int_equal(lane.sample[i].memory_canary > 0,
				    asked && rt_flush_lines_can());
		}
	rt_timer_release(&t);
}

static void
test_rt_sample_a_walk_restores_the_sets_behind_it(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 6, .calls = 4,
	    .restore = RUNNER_RESTORE, .walk = RUNNER_BACKWARD };
	static struct runner_lane	lane;
	struct rt_timer			t;

	(void)state;
	make(&t);
	assert_null(rt_sets_make_far(&t.sets, 8, 2, NULL));
	rt_sets_enter_far(&t.sets);
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 24);
	for (int i = 0; i < 24; i++) {
		assert_true(seen.y_first[i] == seen.y_first[0]);
		assert_ptr_equal(seen.y[i], seen.y[i % 8]);
		assert_ptr_equal(seen.x[i], seen.x[0]);
	}
	rt_timer_release(&t);
}

static void
test_rt_sample_W51_the_dummy_calls_come_before_the_first_sample(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
					    .warm_calls = 3 };
	static struct runner_lane	lane;
	struct rt_timer			t;

	(void)state;
	make(&t);
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 4);
	assert_int_equal(seen.before, 3);		/* so the region has none of them */
	rt_timer_release(&t);
}

/* Which calls had the operands that are timed, and how long before such a call the others began. */
static struct {
	const double	*home;
	unsigned	 timed, others;		/* calls */
	uint64_t	 began_ns, least_ns;	/* of the others before a timed one */
} awake;

static void
tell_apart(const double *x, double *y, int *z)
{
	const uint64_t	now = clock_now_ns();

	routine(x, y, z);
	if (x != awake.home) {
		awake.began_ns = awake.began_ns == 0 ? now : awake.began_ns;
		awake.others++;
		return;
	}
	awake.timed++;
	if (awake.began_ns == 0 || now - awake.began_ns < awake.least_ns)
		awake.least_ns = awake.began_ns == 0 ? 0 : now - awake.began_ns;
	awake.began_ns = 0;
}

static void
test_rt_sample_W52_calls_that_keep_the_core_awake_have_operands_of_their_own(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 1,
	    .awake = 1, .pollute = 1, .flush = RUNNER_FLUSH_LRU, .flush_bytes = 4096,
	    .restore = RUNNER_RESTORE };
	static struct runner_lane	lane;
	struct rt_timer			t;
	void				*at[3];

	(void)state;
	make(&t);
	assert_true(rt_area_make(&t.flush, 4096));
	assert_true(rt_run_ready(&t, &run));
	rt_sets_home(&t.sets, at);
	memset(&awake, 0, sizeof awake);
	awake.home = at[0];
	awake.least_ns = UINT64_MAX;
	rt_run_samples(&t, (rt_code *)tell_apart, &run, &lane);
	assert_int_equal(awake.timed, 3);
	assert_true(awake.others >= 3);		/* at least one before each, none behind the last */
	assert_ptr_equal(seen.x[(seen.calls - 1) % KNOWN], at[0]);
	assert_ptr_equal(seen.y[(seen.calls - 1) % KNOWN], at[1]);
	assert_true(awake.least_ns >= RUNNER_AWAKE_NS);
	rt_timer_release(&t);
}

static void
pin_to(const cpu_set_t *from, int nth)
{
	cpu_set_t	one;

	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, from) && nth-- == 0)
			CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static cpu_set_t	allowed;

/* In its second call it goes to another CPU. */
static void
goes_away(const double *x, double *y, int *z)
{
	routine(x, y, z);
	if (seen.calls == 2)
		pin_to(&allowed, 1);
}

static void
test_rt_sample_a_sample_that_ends_on_another_cpu_says_so(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 1 };
	static struct runner_lane	lane;
	struct rt_timer			t;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	if (CPU_COUNT(&allowed) < 2)
		skip();
	make(&t);
	pin_to(&allowed, 0);
	rt_run_samples(&t, (rt_code *)goes_away, &run, &lane);
	assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
	assert_int_equal(lane.sample[0].migrations, 0);
	assert_int_equal(lane.sample[1].migrations, 1);
	assert_int_equal(lane.sample[2].migrations, 0);
	rt_timer_release(&t);
}

static void
test_rt_sample_an_empty_order_never_calls_the_routine(void **state)
{
	struct runner_run		run = { .kind = RUNNER_EMPTY, .samples = 3, .calls = 9,
					    .warm_calls = 1 };
	static struct runner_lane	lane;
	struct rt_timer			t;

	(void)state;
	make(&t);
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 0);
	assert_int_equal(lane.sample[2].ticks, 9);
	rt_timer_release(&t);
}

static void
test_rt_sample_a_check_runs_once_on_fresh_operands_and_copies_what_was_written(void **state)
{
	struct rt_timer	 t;
	static char	 out[64 + 2432 + 1216];		/* result, y, z, each from a multiple of 64 */
	void		*at[3];

	(void)state;
	make(&t);
	rt_sets_home(&t.sets, at);
	*(double *)at[1] = 1e9;
	assert_true(rt_result_check(&t, (rt_code *)routine, out, sizeof out));
	assert_int_equal(seen.calls, 1);
	assert_true(seen.y_first[0] < 2);
	assert_int_equal(*(int *)out, 42);
	assert_memory_equal(out + 64, at[1], N * 8);
	assert_int_equal(((int *)(void *)(out + 64 + 2432))[N - 1], -5);
	assert_false(rt_result_check(&t, (rt_code *)routine, out, 64 + 2432 + 1199));
	rt_timer_release(&t);
}

static void
test_rt_sample_orders_that_cannot_be_carried_out_are_refused(void **state)
{
	const struct runner_run	good = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1 };
	struct runner_run	run;
	struct rt_timer		t;

	(void)state;
	make(&t);
	assert_true(rt_run_is_sound(&t, &good));
	run = good, run.kind = RUNNER_NKINDS;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.samples = RUNNER_SAMPLES + 1;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.stack_offset = 4096;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.stack_offset = 8;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.samples = 0;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.calls = 0;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.walk = RUNNER_FORWARD;		/* there are no sets */
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.walk = RUNNER_NWALKS;
	assert_false(rt_run_is_sound(&t, &run));
	run = good, run.flush = RUNNER_FLUSH_LRU, run.flush_bytes = 4096;	/* there is no area */
	assert_false(rt_run_is_sound(&t, &run));
	assert_true(rt_area_make(&t.flush, 4096));
	assert_true(rt_run_is_sound(&t, &run));
	assert_null(rt_sets_make_far(&t.sets, 4, 1, NULL));
	run = good, run.walk = RUNNER_FORWARD, run.calls = 5;
	assert_false(rt_run_is_sound(&t, &run));
	run.calls = 4;
	assert_true(rt_run_is_sound(&t, &run));
	rt_timer_release(&t);
}

static void
test_rt_sample_W44_the_empty_routine_does_not_turn_the_sign(void **state)
{
	struct rt_driver	 d = turning_driver();
	struct runner_run	 run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 1,
				    .warm_calls = 1 };
	static struct runner_lane lane;
	struct rt_timer		 t;

	(void)state;
	assert_null(rt_timer_make(&t, &d, &setup));
	rt_timer_enter(&t);
	memset(&seen, 0, sizeof seen);
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 2 + 3);		/* the dummy calls are two, so they add
							 * nothing up */
	assert_int_equal(t.sets.turn, 1);
	run.kind = RUNNER_EMPTY;
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(t.sets.turn, 1);
	rt_timer_release(&t);
}

/* Hundreds of calls on their own output would be calls on other numbers than those of the spec. */
static void
test_rt_sample_P47_calls_that_keep_the_core_awake_all_begin_with_the_same_input(void **state)
{
	struct runner_run	 run = { .kind = RUNNER_SAMPLE, .samples = 2,
				     .calls = 1, .awake = 1, .restore = RUNNER_RESTORE };
	static struct runner_lane lane;
	struct rt_timer		 t;

	(void)state;
	make(&t);
	assert_true(rt_run_ready(&t, &run));
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_true(seen.calls >= 2 + 1);		/* two are timed, at least one was not */
	for (unsigned i = 0; i < seen.calls && i < KNOWN; i++)
		assert_true(seen.y_first[i] == *(const double *)(const void *)t.sets.live[1].first);
	rt_timer_release(&t);
}

static void
test_rt_sample_W46_separate_outputs_are_the_same_in_every_sample_and_restored_between(void **state)
{
	struct runner_run	 run = { .kind = RUNNER_SAMPLE, .samples = 2, .calls = 4,
				     .walk = RUNNER_AGAIN, .restore = RUNNER_RESTORE };
	static struct runner_lane lane;
	struct rt_timer		 t;

	(void)state;
	make(&t);
	assert_null(rt_sets_make_far(&t.sets, 4, 2 | 4, NULL));
	rt_sets_enter_far(&t.sets);
	rt_run_samples(&t, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 8);
	for (int i = 0; i < 4; i++) {
		assert_ptr_equal(seen.y[i], seen.y[4 + i]);
		assert_true(seen.y_first[i] == seen.y_first[4 + i]);
		assert_true(i == 0 || seen.y[i] != seen.y[i - 1]);
		assert_ptr_equal(seen.x[i], seen.x[0]);
	}
	rt_timer_release(&t);
}

static void
spoil(const double *x, double *y, int *z)
{
	(void)x, (void)z;
	y[seen.calls++] = 1 / 0.0;
}

/* After the region, and before anything is restored. */
static void
test_rt_sample_P47_a_census_finds_what_the_timed_calls_left(void **state)
{
	struct runner_run	 run = { .kind = RUNNER_CENSUS, .samples = 1, .calls = 3,
				    .restore = RUNNER_RESTORE };
	static struct runner_lane lane;
	struct rt_timer		 t;

	(void)state;
	make(&t);
	rt_run_samples(&t, (rt_code *)spoil, &run, &lane);
	assert_int_equal(lane.census[1].inf, 3);
	assert_int_equal(lane.census[1].finite, N - 3);
	assert_int_equal(lane.census[0].finite, N);
	assert_int_equal(lane.census[2].finite, 0);		/* not floating */

	assert_null(rt_sets_make_far(&t.sets, 3, 2, NULL));
	rt_sets_enter_far(&t.sets);
	run.walk = RUNNER_FORWARD;
	seen.calls = 0;
	rt_run_samples(&t, (rt_code *)spoil, &run, &lane);
	assert_int_equal(lane.census[1].inf, 3);
	assert_int_equal(lane.census[1].finite, 3 * N - 3);
	assert_memory_equal(t.sets.live[1].far, t.sets.live[1].first, sizeof(double));
	rt_timer_release(&t);
}

/*
 * How many pages of the far sets flushing one of them touches, all having been taken away but the
 * ends.
 */
static int
touched_by_flush(struct rt_timer *t, const struct runner_run *run, uint32_t set)
{
	char		*first = (char *)(((uintptr_t)t->sets.live[0].far + PAGE - 1) &
	    ~(uintptr_t)(PAGE - 1));
	unsigned char	 there[64];
	const size_t	 pages = (t->sets.sets - 2) * t->sets.live[0].step_bytes / PAGE;
	int		 n = 0;

	madvise(first, pages * PAGE, MADV_DONTNEED);
	rt_surround(t, run, &set);
	assert_true(pages <= sizeof there && mincore(first, pages * PAGE, there) == 0);
	for (size_t i = 0; i < pages; i++)
		n += there[i] & 1;
	return n;
}

static void
test_rt_sample_W28_the_pages_of_the_next_sets_of_a_walk_are_looked_up_if_asked(void **state)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .walk = RUNNER_RANDOM };
	struct rt_timer		t;
	uintptr_t		at;

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	assert_null(rt_timer_make(&t, &driver, &setup));
	assert_null(rt_sets_make_far(&t.sets, 100, 1, NULL));
	rt_timer_enter(&t);
	at = (uintptr_t)t.sets.live[0].far + 50 * t.sets.live[0].step_bytes;
	assert_int_equal(touched_by_flush(&t, &run, 50), 0);
	run.look_up = 1;
	assert_int_equal(touched_by_flush(&t, &run, 50), (at + N * sizeof(double) - 1) / PAGE -
	    at / PAGE + 1);
	run.place[0] = RUNNER_WARM;
	assert_int_equal(touched_by_flush(&t, &run, 50), 0);
	rt_timer_release(&t);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_sample_W50_a_child_that_has_entered_meets_no_page_fault_in_a_sample),
		cmocka_unit_test(test_rt_sample_samples_of_an_inout_operand_all_begin_with_the_same_input),
		cmocka_unit_test(test_rt_sample_the_memory_canary_is_read_where_it_is_asked_for),
		cmocka_unit_test(test_rt_sample_a_walk_restores_the_sets_behind_it),
		cmocka_unit_test(test_rt_sample_W51_the_dummy_calls_come_before_the_first_sample),
		cmocka_unit_test(test_rt_sample_W52_calls_that_keep_the_core_awake_have_operands_of_their_own),
		cmocka_unit_test(test_rt_sample_a_sample_that_ends_on_another_cpu_says_so),
		cmocka_unit_test(test_rt_sample_an_empty_order_never_calls_the_routine),
		cmocka_unit_test(test_rt_sample_a_check_runs_once_on_fresh_operands_and_copies_what_was_written),
		cmocka_unit_test(test_rt_sample_orders_that_cannot_be_carried_out_are_refused),
		cmocka_unit_test(test_rt_sample_W44_the_empty_routine_does_not_turn_the_sign),
		cmocka_unit_test(test_rt_sample_P47_calls_that_keep_the_core_awake_all_begin_with_the_same_input),
		cmocka_unit_test(test_rt_sample_W46_separate_outputs_are_the_same_in_every_sample_and_restored_between),
		cmocka_unit_test(test_rt_sample_P47_a_census_finds_what_the_timed_calls_left),
		cmocka_unit_test(
		    test_rt_sample_W28_the_pages_of_the_next_sets_of_a_walk_are_looked_up_if_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

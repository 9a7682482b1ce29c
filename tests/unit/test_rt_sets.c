/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/rt/area.h"
#include "worker/rt/fill.h"
#include "worker/rt/sample.h"
#include "worker/rt/sets.h"
#include "worker/rt/witness.h"

/* y = a x + y on 300 doubles, with an operand that is only written: what a driver would say. */
enum { N = 300 };

static const struct rt_operand	operands[] = {
	{ .rt_name = "x", .rt_class = 'f', .rt_bytes = 8, .rt_count = N, .rt_stride = 1, .rt_access = 'i',
	    .rt_align = 64,
	  .rt_init = 'r', .rt_seed = 1, .rt_low = -1, .rt_high = 1 },
	{ .rt_name = "y", .rt_class = 'f', .rt_bytes = 8, .rt_count = N, .rt_stride = 1, .rt_access = 'b',
	    .rt_align = 8,
	  .rt_misalign = 16, .rt_init = 'r', .rt_seed = 2, .rt_low = -1, .rt_high = 1 },
	{ .rt_name = "z", .rt_class = 'i', .rt_bytes = 4, .rt_count = N, .rt_stride = 1, .rt_access = 'o',
	    .rt_align = 4,
	  .rt_init = 'n' },
};

struct seen {
	unsigned	 calls;
	const double	*x[64];
	double		*y[64];
	double		 y_first[64];	/* y[0] as the routine found it */
};
static struct seen	seen;

static void
routine(const double *x, double *y, int *z)
{
	unsigned	i = seen.calls++ % 64;

	seen.x[i] = x;
	seen.y[i] = y;
	seen.y_first[i] = y[0];
	y[0] += x[0];
	z[N - 1] = -5;
}

static volatile int	result;

static void
call(rt_code *code, void *const *at)
{
	((void (*)(const double *, double *, int *))code)(at[0], at[1], at[2]);
	result = 42;
}

static rt_u64
repeat(rt_code *code, void *const *at, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++)
		call(code, at);
	return calls;
}

static rt_u64
rotate(rt_code *code, void *const *at, const rt_u64 *step, const rt_u32 *walk, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++) {
		void	*set[3];

		for (int k = 0; k < 3; k++)
			set[k] = (char *)at[k] + walk[i] * step[k];
		call(code, set);
	}
	return calls;
}

static void
empty(void)
{
}

static const struct rt_driver	driver = {
	.rt_abi = RT_ABI, .rt_operands = 3, .rt_operand = operands, .rt_routine = "axpy", .rt_clock = "wall",
	.rt_call = call, .rt_repeat = repeat, .rt_rotate = rotate, .rt_empty = empty, .rt_result = &result,
	.rt_result_bytes = sizeof result,
};

static const struct runner_setup	setup = { .cpu = -1, .line_bytes = 64, .l1_bytes = 32 << 10,
    .l2_bytes = 1 << 20 };

static void
make(struct rt_sets *s)
{
	assert_null(rt_sets_make(s, &driver, &setup));
	rt_sets_enter(s);
	memset(&seen, 0, sizeof seen);
}

static void
test_rt_sets_P28_P29_every_operand_is_allocated_aligned_and_initialised(void **state)
{
	struct rt_sets	 s;
	void		*at[3];

	(void)state;
	make(&s);
	rt_sets_home(&s, at);
	assert_int_equal((uintptr_t)at[0] % 64, 0);
	assert_int_equal((uintptr_t)at[1] % 16, 8);
	for (int i = 0; i < N; i++) {
		assert_true(((double *)at[0])[i] >= -1 && ((double *)at[0])[i] < 1);
		assert_int_equal(((int *)at[2])[i], i);
	}
	assert_true(memcmp(at[0], at[1], N * sizeof(double)) != 0);
	rt_sets_release(&s);
}

static void
test_rt_sets_restoring_brings_back_what_was_written_and_inout_alone_if_asked(void **state)
{
	struct rt_sets	 s;
	void		*at[3];
	double		 y0;

	(void)state;
	make(&s);
	rt_sets_home(&s, at);
	y0 = *(double *)at[1];
	*(double *)at[1] = 99;
	*(int *)at[2] = 99;
	rt_sets_restore_inout(&s);
	assert_true(*(double *)at[1] == y0);
	assert_int_equal(*(int *)at[2], 99);
	rt_sets_restore(&s);
	assert_int_equal(*(int *)at[2], 0);
	rt_sets_release(&s);
}

/* Faults of this thread while every operand of the home set is read, and written if it may be. */
static long
faults_of_use(struct rt_sets *s)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1 };
	static struct runner_lane lane;

	rt_run_samples(s, (rt_code *)routine, &run, &lane);	/* pages of the stack and of this program */
	rt_run_samples(s, (rt_code *)routine, &run, &lane);
	return lane.sample[0].faults;
}

static void
test_rt_sets_W50_a_child_that_has_entered_meets_no_page_fault_in_a_sample(void **state)
{
	struct rt_sets	s;
	int		status;
	pid_t		pid;

	(void)state;
	assert_null(rt_sets_make(&s, &driver, &setup));
	if ((pid = fork()) == 0) {
		rt_sets_enter(&s);
		_exit(faults_of_use(&s) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	rt_sets_release(&s);
}

static void
test_rt_sets_a_child_does_not_write_into_another_ones_operands(void **state)
{
	struct rt_sets	 s;
	void		*at[3];
	double		 y0, x0;
	pid_t		 pid;

	(void)state;
	make(&s);
	rt_sets_home(&s, at);
	x0 = *(double *)at[0];
	y0 = *(double *)at[1];
	if ((pid = fork()) == 0) {
		*(double *)at[0] = *(double *)at[1] = 77;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(*(double *)at[0] == x0 && *(double *)at[1] == y0);
	rt_sets_release(&s);
}

/* ---- shifts ---- */

static void
test_rt_sets_W53_W54_W57_a_shifted_operand_keeps_align_and_misalign(void **state)
{
	struct rt_operand	o = operands[1];
	struct rt_driver	d = driver;

	(void)state;
	d.rt_operands = 1;
	d.rt_operand = &o;
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t	up = rt_number(2, i) % 6, unit;
		uint32_t	shift[RUNNER_OPERANDS] = { 0 };
		struct rt_sets	s;
		uintptr_t	at;

		o.rt_align = (uint64_t)8 << rt_number(1, i) % 8;
		o.rt_misalign = up == 0 ? 0 : o.rt_align << up;
		o.rt_access = "iob"[rt_number(3, i) % 3];
		unit = up == 0 ? o.rt_align : o.rt_misalign;
		shift[0] = (uint32_t)(unit * (rt_number(4, i) % (1 + 4095 / unit)));
		assert_null(rt_sets_make(&s, &d, &setup));
		at = (uintptr_t)s.live[0].home;
		assert_null(rt_sets_shift(&s, shift));
		assert_int_equal((uintptr_t)s.live[0].home % 4096, (at - shift[0]) % 4096);
		assert_int_equal((uintptr_t)s.live[0].home % o.rt_align, 0);
		if (o.rt_misalign != 0)
			assert_int_equal((uintptr_t)s.live[0].home % o.rt_misalign, o.rt_align);
		rt_sets_release(&s);
	}
}

static void
test_rt_sets_a_shifted_operand_holds_what_it_did_and_every_byte_of_it_can_be_used(void **state)
{
	const uint32_t	shift[RUNNER_OPERANDS] = { 1024, 512, 4 }, back[RUNNER_OPERANDS] = { 0 };
	struct rt_sets	s;
	void		*at[3], *moved[3], *again[3];
	double		 x[N], y[N];

	(void)state;
	make(&s);
	rt_sets_home(&s, at);
	memcpy(x, at[0], sizeof x);
	memcpy(y, at[1], sizeof y);
	assert_null(rt_sets_shift(&s, shift));
	rt_sets_enter(&s);
	rt_sets_home(&s, moved);
	for (int k = 0; k < 3; k++)
		memset((char *)moved[k] + operands[k].rt_count * operands[k].rt_bytes, 0x5a, shift[k]);
	assert_memory_equal(moved[0], x, sizeof x);
	assert_memory_equal(moved[1], y, sizeof y);
	assert_int_equal(((int *)moved[2])[N - 1], N - 1);
	assert_null(rt_sets_shift(&s, back));
	rt_sets_enter(&s);
	rt_sets_home(&s, again);
	for (int k = 0; k < 3; k++)
		assert_int_equal((uintptr_t)again[k] % 4096, (uintptr_t)at[k] % 4096);
	assert_memory_equal(again[0], x, sizeof x);
	rt_sets_release(&s);
}

static void
test_rt_sets_W56_a_shift_costs_no_more_than_itself(void **state)
{
	(void)state;
	for (uint32_t shift = 0; shift < 4096; shift += 64)
		assert_true(rt_area_span(5000 + shift, 64, 128) <= 5000 + 2 * sizeof(void *) + 2 * 64 + shift + 2 * 4096);
}

static void
test_rt_sets_working_sets_move_with_their_operand(void **state)
{
	const uint32_t	shift[RUNNER_OPERANDS] = { 640, 0, 0 };
	struct rt_sets	s;
	void		*at[3], *moved[3];
	uint64_t	 step[3];

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 5, 3));
	rt_sets_far(&s, at, step);
	assert_null(rt_sets_shift(&s, shift));
	assert_int_equal(s.sets, 5);
	assert_int_equal(s.moving, 3);
	rt_sets_enter(&s);
	rt_sets_enter_far(&s);
	rt_sets_far(&s, moved, step);
	assert_int_equal((uintptr_t)moved[0] % 4096, ((uintptr_t)at[0] - 640) % 4096);
	assert_int_equal((uintptr_t)moved[1] % 4096, (uintptr_t)at[1] % 4096);
	for (int n = 0; n < 5; n++)
		assert_memory_equal((char *)moved[0] + (uint64_t)n * step[0], s.live[0].home, N * 8);
	rt_sets_release(&s);
}

static void
test_rt_sets_a_shift_beyond_reason_is_refused(void **state)
{
	const uint32_t	shift[RUNNER_OPERANDS] = { RT_MAX_SHIFT + 1 };
	struct rt_sets	s;

	(void)state;
	make(&s);
	assert_non_null(rt_sets_shift(&s, shift));
	rt_sets_release(&s);
}

/* ---- MultiCallFlushLRU ---- */

static void
test_rt_sets_W33_W35_each_set_is_whole_aligned_and_holds_the_same_data(void **state)
{
	struct rt_sets	 s;
	void		*at[3], *home[3];
	uint64_t	 step[3];

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 10, 7));
	rt_sets_enter_far(&s);
	rt_sets_far(&s, at, step);
	rt_sets_home(&s, home);
	for (int k = 0; k < 3; k++) {
		uint64_t	bytes = operands[k].rt_count * operands[k].rt_bytes;

		assert_true(step[k] >= bytes);
		assert_int_equal(step[k] % 64, 0);
		for (uint64_t n = 0; n < 10; n++) {
			char	*set = (char *)at[k] + n * step[k];

			assert_memory_equal(set, home[k], bytes);
			assert_int_equal((uintptr_t)set % operands[k].rt_align, 0);
			if (operands[k].rt_misalign != 0)
				assert_int_not_equal((uintptr_t)set % operands[k].rt_misalign, 0);
		}
	}
	rt_sets_release(&s);
}

static void
test_rt_sets_W41_only_the_operands_that_shall_move_get_an_area(void **state)
{
	struct rt_sets	 s;
	void		*at[3], *home[3];
	uint64_t	 step[3];

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 4, 1));
	rt_sets_far(&s, at, step);
	rt_sets_home(&s, home);
	assert_ptr_not_equal(at[0], home[0]);
	assert_ptr_equal(at[1], home[1]);
	assert_ptr_equal(at[2], home[2]);
	assert_true(step[0] > 0 && step[1] == 0 && step[2] == 0);
	rt_sets_release(&s);
}

static void
test_rt_sets_W34_W42_the_walk_goes_backward_from_the_last_set_and_goes_on(void **state)
{
	struct rt_sets	s;
	const uint32_t	*walk;

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 10, 7));
	rt_sets_enter_far(&s);
	walk = rt_sets_walk(&s, RUNNER_BACKWARD, 7);
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(walk[i], 9 - i);
	walk = rt_sets_walk(&s, RUNNER_BACKWARD, 7);	/* 2 1 0, then from the end again */
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(walk[i], (12 - i) % 10);
	rt_sets_release(&s);
}

static void
test_rt_sets_W37_every_walk_meets_every_set_before_any_twice(void **state)
{
	struct rt_sets	s;

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 100, 1));
	rt_sets_enter_far(&s);
	for (int w = RUNNER_BACKWARD; w <= RUNNER_RANDOM; w++) {
		int	used[100] = { 0 }, steps_of_1 = 0;

		for (int part = 0; part < 4; part++) {
			const uint32_t	*walk = rt_sets_walk(&s, w, 25);

			for (int i = 0; i < 25; i++) {
				assert_in_range(walk[i], 0, 99);
				assert_int_equal(used[walk[i]]++, 0);
				steps_of_1 += i > 0 && (walk[i] == walk[i - 1] + 1 || walk[i] + 1 == walk[i - 1]);
			}
		}
		assert_int_equal(steps_of_1 > 90, w != RUNNER_RANDOM);
	}
	rt_sets_release(&s);
}

/* ---- samples ---- */

static void
test_rt_sets_samples_of_an_inout_operand_all_begin_with_the_same_input(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 5, .calls = 2,
	    .restore = RUNNER_RESTORE,
					    .warm_calls = 1 };
	static struct runner_lane	lane;
	struct rt_sets			s;

	(void)state;
	make(&s);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 1 + 5 * 2);
	for (int i = 0; i < 5; i++) {
		assert_true(seen.y_first[1 + 2 * i] == seen.y_first[1]);
		assert_true(seen.y_first[2 + 2 * i] != seen.y_first[1]);
		assert_int_equal(lane.sample[i].ticks, 2);
	}
	rt_sets_release(&s);
}

static void
test_rt_sets_the_memory_canary_is_read_where_it_is_asked_for(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 2 };
	static struct runner_lane	lane;
	struct rt_sets			s;

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 8, 2));
	rt_sets_enter_far(&s);
	for (unsigned asked = 0; asked < 2; asked++)
		for (run.walk = RUNNER_STAY; run.walk <= RUNNER_BACKWARD; run.walk++) {
			run.memory_canary = asked;
			rt_run_samples(&s, (rt_code *)routine, &run, &lane);
			for (int i = 0; i < 3; i++)
				assert_int_equal(lane.sample[i].memory_canary > 0, asked && rt_flush_lines_can());
		}
	rt_sets_release(&s);
}

static void
test_rt_sets_a_walk_restores_the_sets_behind_it(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 6, .calls = 4,
	    .restore = RUNNER_RESTORE,
					    .walk = RUNNER_BACKWARD };
	static struct runner_lane	lane;
	struct rt_sets			s;

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 8, 2));
	rt_sets_enter_far(&s);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 24);
	for (int i = 0; i < 24; i++) {
		assert_true(seen.y_first[i] == seen.y_first[0]);
		assert_ptr_equal(seen.y[i], seen.y[i % 8]);
		assert_ptr_equal(seen.x[i], seen.x[0]);
	}
	rt_sets_release(&s);
}

static void
test_rt_sets_W51_the_dummy_calls_come_before_the_first_sample(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1, .warm_calls = 3 };
	static struct runner_lane	lane;
	struct rt_sets			s;

	(void)state;
	make(&s);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 4);
	rt_sets_release(&s);
}

static void
test_rt_sets_W52_calls_that_keep_the_core_awake_have_operands_of_their_own(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 2, .calls = 1, .awake = 1, .around = 1,
	    .flush = RUNNER_FLUSH_LRU, .flush_bytes = 4096, .restore = RUNNER_RESTORE };
	static struct runner_lane	lane;
	struct rt_sets			s;
	void				*at[3];
	unsigned			 timed = 0;

	(void)state;
	make(&s);
	assert_null(rt_sets_make_flush(&s, 4096));
	assert_true(rt_sets_ready_to_place(&s, &run));
	rt_sets_home(&s, at);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_true(seen.calls > 64);			/* the last 64 are known: many of others, then the timed one */
	for (unsigned i = 0; i < 64; i++)
		timed += seen.y[i] == at[1] || seen.x[i] == at[0];
	assert_int_equal(timed, 1);
	assert_ptr_equal(seen.y[(seen.calls - 1) % 64], at[1]);
	assert_true(seen.y_first[(seen.calls - 1) % 64] == ((double *)s.live[1].first)[0]);
	rt_sets_release(&s);
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
test_rt_sets_a_sample_that_ends_on_another_cpu_says_so(void **state)
{
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 1 };
	static struct runner_lane	lane;
	struct rt_sets			s;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	if (CPU_COUNT(&allowed) < 2)
		skip();
	make(&s);
	pin_to(&allowed, 0);
	rt_run_samples(&s, (rt_code *)goes_away, &run, &lane);
	assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
	assert_int_equal(lane.sample[0].migrations, 0);
	assert_int_equal(lane.sample[1].migrations, 1);
	assert_int_equal(lane.sample[2].migrations, 0);
	rt_sets_release(&s);
}

static void
test_rt_sets_an_empty_order_never_calls_the_routine(void **state)
{
	struct runner_run		run = { .kind = RUNNER_EMPTY, .samples = 3, .calls = 9, .warm_calls = 1 };
	static struct runner_lane	lane;
	struct rt_sets			s;

	(void)state;
	make(&s);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 0);
	assert_int_equal(lane.sample[2].ticks, 9);
	rt_sets_release(&s);
}

static void
test_rt_sets_a_check_runs_once_on_fresh_operands_and_copies_what_was_written(void **state)
{
	struct rt_sets	 s;
	static char	 out[64 + 2432 + 1216];		/* result, y, z, each from a multiple of 64 */
	void		*at[3];

	(void)state;
	make(&s);
	rt_sets_home(&s, at);
	*(double *)at[1] = 1e9;
	assert_true(rt_run_check(&s, (rt_code *)routine, out, sizeof out));
	assert_int_equal(seen.calls, 1);
	assert_true(seen.y_first[0] < 2);
	assert_int_equal(*(int *)out, 42);
	assert_memory_equal(out + 64, at[1], N * 8);
	assert_int_equal(((int *)(void *)(out + 64 + 2432))[N - 1], -5);
	assert_false(rt_run_check(&s, (rt_code *)routine, out, 64 + 2432 + 1199));
	rt_sets_release(&s);
}

static void
test_rt_sets_orders_that_cannot_be_carried_out_are_refused(void **state)
{
	const struct runner_run	good = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1 };
	struct runner_run	run;
	struct rt_sets		s;

	(void)state;
	make(&s);
	assert_true(rt_run_is_sound(&s, &good));
	run = good, run.kind = RUNNER_NKINDS;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.samples = RUNNER_SAMPLES + 1;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.stack_offset = 4096;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.stack_offset = 8;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.samples = 0;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.calls = 0;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.walk = RUNNER_FORWARD;		/* there are no sets */
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.walk = RUNNER_NWALKS;
	assert_false(rt_run_is_sound(&s, &run));
	run = good, run.flush = RUNNER_FLUSH_LRU, run.flush_bytes = 4096;	/* there is no area */
	assert_false(rt_run_is_sound(&s, &run));
	assert_null(rt_sets_make_flush(&s, 4096));
	assert_true(rt_run_is_sound(&s, &run));
	assert_null(rt_sets_make_far(&s, 4, 1));
	run = good, run.walk = RUNNER_FORWARD, run.calls = 5;
	assert_false(rt_run_is_sound(&s, &run));
	run.calls = 4;
	assert_true(rt_run_is_sound(&s, &run));
	rt_sets_release(&s);
}

static void
test_rt_sets_areas_larger_than_the_address_space_are_refused_in_words(void **state)
{
	struct rt_sets	s;

	(void)state;
	make(&s);
	assert_non_null(rt_sets_make_far(&s, (uint64_t)1 << 32, 7));
	assert_int_equal(s.sets, 0);
	assert_non_null(rt_sets_make_flush(&s, (uint64_t)1 << 60));
	assert_null(rt_sets_make_far(&s, 3, 7));
	rt_sets_release(&s);
}

/* ---- RangeGuard ---- */

static rt_u64			turn;
static struct rt_operand	paired[3];

/* The same driver, but that x has a negated copy and signs turn. */
static struct rt_driver
turning_driver(void)
{
	struct rt_driver	d = driver;

	memcpy(paired, operands, sizeof paired);
	paired[0].rt_paired = 1;
	d.rt_operand = paired;
	d.rt_turn = &turn;
	return d;
}

static void
test_rt_sets_W45_a_pair_is_two_copies_one_negated_in_every_set(void **state)
{
	struct rt_driver	 d = turning_driver();
	struct rt_sets		 s;
	uint64_t		 step[3];
	void			*at[RT_SETS_AT];

	(void)state;
	assert_null(rt_sets_make(&s, &d, &setup));
	assert_null(rt_sets_make_far(&s, 5, 1));
	rt_sets_enter(&s);
	rt_sets_enter_far(&s);
	rt_sets_far(&s, at, step);
	for (int set = 0; set < 5; set++) {
		const double	*x = (double *)(void *)((char *)at[0] + set * step[0]);
		const double	*minus = (double *)(void *)((char *)at[3] + set * step[0]);

		assert_int_equal((uintptr_t)minus % 64, 0);
		for (int i = 0; i < N; i++)
			assert_true(x[i] != 0 && minus[i] == -x[i]);
	}
	rt_sets_home(&s, at);
	assert_true(*(double *)at[3] == -*(double *)at[0]);
	rt_sets_release(&s);
}

static void
test_rt_sets_W44_the_sign_turns_with_every_traversal_of_the_sets(void **state)
{
	struct rt_driver	 d = turning_driver();
	struct rt_sets		 s;
	unsigned		 met[7] = { 0 };

	(void)state;
	assert_null(rt_sets_make(&s, &d, &setup));
	assert_null(rt_sets_make_far(&s, 7, 3));
	for (int calls = 0; calls < 7 * 10; calls += 5) {
		const uint32_t	*walk = rt_sets_walk(&s, RUNNER_RANDOM, 5);

		for (int i = 0; i < 5; i++)
			assert_int_equal(walk[i] / RT_TURNED, met[walk[i] % RT_TURNED]++ % 2);
	}
	for (int i = 0; i < 7; i++)
		assert_int_equal(met[i], 10);
	rt_sets_release(&s);
}

static void
witness(const double *x, double *y, int *z)
{
	(void)z;
	rt_saw(0, x);
	rt_saw(1, y);
}

static rt_u64
rotate_a_pair(rt_code *code, void *const *at, const rt_u64 *step, const rt_u32 *walk, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++) {
		rt_u64	set = walk[i] % RT_TURNED;

		((void (*)(const void *, void *, void *))code)((char *)at[walk[i] / RT_TURNED ? 3 : 0] + set * step[0],
		    (char *)at[1] + set * step[1], at[2]);
	}
	return calls;
}

static void
test_rt_sets_W33_W45_the_witness_knows_a_negated_copy_for_its_set(void **state)
{
	struct rt_driver	 d = turning_driver();
	struct rt_sets		 s;

	(void)state;
	d.rt_witness = (rt_code *)witness;
	d.rt_rotate = rotate_a_pair;
	assert_null(rt_sets_make(&s, &d, &setup));
	assert_null(rt_sets_make_far(&s, 6, 3));
	rt_sets_walk(&s, RUNNER_BACKWARD, 6);
	assert_int_equal(rt_witness_walk(&s, rt_sets_walk(&s, RUNNER_BACKWARD, 0), 4), 4);
	assert_int_equal(rt_witness_walk(&s, rt_sets_walk(&s, RUNNER_BACKWARD, 0), 6), 6);
	rt_sets_release(&s);
}

static void
test_rt_sets_W44_the_empty_routine_does_not_turn_the_sign(void **state)
{
	struct rt_driver	 d = turning_driver();
	struct runner_run	 run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 1, .warm_calls = 1 };
	static struct runner_lane lane;
	struct rt_sets		 s;

	(void)state;
	assert_null(rt_sets_make(&s, &d, &setup));
	rt_sets_enter(&s);
	memset(&seen, 0, sizeof seen);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 2 + 3);		/* the dummy calls are two, so they add nothing up */
	assert_int_equal(s.turn, 1);
	run.kind = RUNNER_EMPTY;
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(s.turn, 1);
	rt_sets_release(&s);
}

/* Hundreds of calls on their own output would be calls on numbers that nobody asked for. */
static void
test_rt_sets_P47_calls_that_keep_the_core_awake_all_begin_with_the_same_input(void **state)
{
	struct runner_run	 run = { .kind = RUNNER_SAMPLE, .samples = 2, .calls = 1, .awake = 1,
				     .restore = RUNNER_RESTORE };
	static struct runner_lane lane;
	struct rt_sets		 s;

	(void)state;
	make(&s);
	assert_true(rt_sets_ready_to_place(&s, &run));
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_true(seen.calls >= 2);
	for (unsigned i = 0; i < seen.calls && i < 64; i++)
		assert_true(seen.y_first[i] == *(const double *)(const void *)s.live[1].first);
	rt_sets_release(&s);
}

static void
test_rt_sets_W46_separate_outputs_are_the_same_in_every_sample_and_restored_between(void **state)
{
	struct runner_run	 run = { .kind = RUNNER_SAMPLE, .samples = 2, .calls = 4, .walk = RUNNER_AGAIN,
				     .restore = RUNNER_RESTORE };
	static struct runner_lane lane;
	struct rt_sets		 s;

	(void)state;
	make(&s);
	assert_null(rt_sets_make_far(&s, 4, 2 | 4));
	rt_sets_enter_far(&s);
	rt_run_samples(&s, (rt_code *)routine, &run, &lane);
	assert_int_equal(seen.calls, 8);
	for (int i = 0; i < 4; i++) {
		assert_ptr_equal(seen.y[i], seen.y[4 + i]);
		assert_true(seen.y_first[i] == seen.y_first[4 + i]);
		assert_true(i == 0 || seen.y[i] != seen.y[i - 1]);
		assert_ptr_equal(seen.x[i], seen.x[0]);
	}
	rt_sets_release(&s);
}

static void
spoil(const double *x, double *y, int *z)
{
	(void)x, (void)z;
	y[seen.calls++] = 1 / 0.0;
}

/* After the region, and before anything is restored. */
static void
test_rt_sets_P47_a_census_finds_what_the_timed_calls_left(void **state)
{
	struct runner_run	 run = { .kind = RUNNER_CENSUS, .samples = 1, .calls = 3, .restore = RUNNER_RESTORE };
	static struct runner_lane lane;
	struct rt_sets		 s;

	(void)state;
	make(&s);
	rt_run_samples(&s, (rt_code *)spoil, &run, &lane);
	assert_int_equal(lane.census[1].inf, 3);
	assert_int_equal(lane.census[1].finite, N - 3);
	assert_int_equal(lane.census[0].finite, N);
	assert_int_equal(lane.census[2].finite, 0);		/* not floating */

	assert_null(rt_sets_make_far(&s, 3, 2));
	rt_sets_enter_far(&s);
	run.walk = RUNNER_FORWARD;
	seen.calls = 0;
	rt_run_samples(&s, (rt_code *)spoil, &run, &lane);
	assert_int_equal(lane.census[1].inf, 3);
	assert_int_equal(lane.census[1].finite, 3 * N - 3);
	assert_true(((double *)(void *)s.live[1].far)[0] == ((double *)(void *)s.live[1].first)[0]);
	rt_sets_release(&s);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_sets_P28_P29_every_operand_is_allocated_aligned_and_initialised),
		cmocka_unit_test(test_rt_sets_restoring_brings_back_what_was_written_and_inout_alone_if_asked),
		cmocka_unit_test(test_rt_sets_W50_a_child_that_has_entered_meets_no_page_fault_in_a_sample),
		cmocka_unit_test(test_rt_sets_a_child_does_not_write_into_another_ones_operands),
		cmocka_unit_test(test_rt_sets_W53_W54_W57_a_shifted_operand_keeps_align_and_misalign),
		cmocka_unit_test(test_rt_sets_a_shifted_operand_holds_what_it_did_and_every_byte_of_it_can_be_used),
		cmocka_unit_test(test_rt_sets_W56_a_shift_costs_no_more_than_itself),
		cmocka_unit_test(test_rt_sets_working_sets_move_with_their_operand),
		cmocka_unit_test(test_rt_sets_a_shift_beyond_reason_is_refused),
		cmocka_unit_test(test_rt_sets_W33_W35_each_set_is_whole_aligned_and_holds_the_same_data),
		cmocka_unit_test(test_rt_sets_W41_only_the_operands_that_shall_move_get_an_area),
		cmocka_unit_test(test_rt_sets_W34_W42_the_walk_goes_backward_from_the_last_set_and_goes_on),
		cmocka_unit_test(test_rt_sets_W37_every_walk_meets_every_set_before_any_twice),
		cmocka_unit_test(test_rt_sets_samples_of_an_inout_operand_all_begin_with_the_same_input),
		cmocka_unit_test(test_rt_sets_the_memory_canary_is_read_where_it_is_asked_for),
		cmocka_unit_test(test_rt_sets_a_walk_restores_the_sets_behind_it),
		cmocka_unit_test(test_rt_sets_W51_the_dummy_calls_come_before_the_first_sample),
		cmocka_unit_test(test_rt_sets_W52_calls_that_keep_the_core_awake_have_operands_of_their_own),
		cmocka_unit_test(test_rt_sets_a_sample_that_ends_on_another_cpu_says_so),
		cmocka_unit_test(test_rt_sets_an_empty_order_never_calls_the_routine),
		cmocka_unit_test(test_rt_sets_a_check_runs_once_on_fresh_operands_and_copies_what_was_written),
		cmocka_unit_test(test_rt_sets_orders_that_cannot_be_carried_out_are_refused),
		cmocka_unit_test(test_rt_sets_areas_larger_than_the_address_space_are_refused_in_words),
		cmocka_unit_test(test_rt_sets_W45_a_pair_is_two_copies_one_negated_in_every_set),
		cmocka_unit_test(test_rt_sets_W44_the_sign_turns_with_every_traversal_of_the_sets),
		cmocka_unit_test(test_rt_sets_W33_W45_the_witness_knows_a_negated_copy_for_its_set),
		cmocka_unit_test(test_rt_sets_W44_the_empty_routine_does_not_turn_the_sign),
		cmocka_unit_test(test_rt_sets_P47_calls_that_keep_the_core_awake_all_begin_with_the_same_input),
		cmocka_unit_test(test_rt_sets_W46_separate_outputs_are_the_same_in_every_sample_and_restored_between),
		cmocka_unit_test(test_rt_sets_P47_a_census_finds_what_the_timed_calls_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

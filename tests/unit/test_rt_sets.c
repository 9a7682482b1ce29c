/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/axpy.h"
#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/witness.h"

static void
test_rt_sets_P28_P29_every_operand_is_allocated_aligned_and_initialised(void **state)
{
	struct rt_sets	 s;
	void		*at[3];

	(void)state;
	make_sets(&s);
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
	make_sets(&s);
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

static void
test_rt_sets_a_child_does_not_write_into_another_ones_operands(void **state)
{
	struct rt_sets	 s;
	void		*at[3];
	double		 y0, x0;
	pid_t		 pid;

	(void)state;
	make_sets(&s);
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

static const char *
lay(struct rt_sets *s, const uint32_t *shift, uint64_t own)
{
	return rt_sets_lay(s, &(struct rt_places){ .shift = shift, .own = own });
}

static void
test_rt_sets_L35_an_operand_moves_to_its_offset_and_has_its_first_contents(void **state)
{
	static const uint32_t	nowhere[RT_MAX_OPERANDS];
	uint64_t		offset[RT_MAX_OPERANDS] = { 8 };
	struct rt_sets		s;
	double			x0;
	void			*at[3];

	(void)state;
	make_sets(&s);
	rt_sets_home(&s, at);
	x0 = *(double *)at[0];
	assert_null(rt_sets_lay(&s, &(struct rt_places){ .shift = nowhere, .offset = offset }));
	rt_sets_home(&s, at);
	assert_int_equal((uintptr_t)at[0] % 64, 8);
	assert_true(*(double *)at[0] == x0);
	offset[0] = 4096;			/* not below its align */
	assert_non_null(rt_sets_lay(&s, &(struct rt_places){ .shift = nowhere,
	    .offset = offset }));
	rt_sets_release(&s);
}

static void
test_rt_sets_W53_W54_W57_a_shifted_operand_keeps_align_misalign_and_offset(void **state)
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
		o.rt_offset = rt_number(5, i) % o.rt_align;
		o.rt_access = "iob"[rt_number(3, i) % 3];
		unit = up == 0 ? o.rt_align : o.rt_misalign;
		shift[0] = (uint32_t)(unit * (rt_number(4, i) % (1 + 4095 / unit)));
		assert_null(rt_sets_make(&s, &d, setup.line_bytes));
		at = (uintptr_t)s.live[0].home;
		assert_null(lay(&s, shift, 0));
		assert_int_equal((uintptr_t)s.live[0].home % 4096, (at - shift[0]) % 4096);
		assert_int_equal((uintptr_t)s.live[0].home % o.rt_align, o.rt_offset);
		if (o.rt_misalign != 0)
			assert_int_equal((uintptr_t)s.live[0].home % o.rt_misalign,
			    o.rt_align + o.rt_offset);
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
	make_sets(&s);
	rt_sets_home(&s, at);
	memcpy(x, at[0], sizeof x);
	memcpy(y, at[1], sizeof y);
	assert_null(lay(&s, shift, 0));
	rt_sets_enter(&s);
	rt_sets_home(&s, moved);
	for (int k = 0; k < 3; k++)
		memset((char *)moved[k] + operands[k].rt_count * operands[k].rt_bytes,
		    0x5a, shift[k]);
	assert_memory_equal(moved[0], x, sizeof x);
	assert_memory_equal(moved[1], y, sizeof y);
	assert_int_equal(((int *)moved[2])[N - 1], N - 1);
	assert_null(lay(&s, back, 0));
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
	uint32_t	shift[RUNNER_OPERANDS] = { 0 };
	struct rt_sets	s;
	uint64_t	span_bytes;

	(void)state;
	make_sets(&s);
	for (; shift[0] < 4096; shift[0] += 64) {
		assert_null(lay(&s, shift, 0));
		assert_non_null(rt_memalign_whole(s.live[0].home, &span_bytes));
		assert_true(span_bytes <= N * sizeof(double) + 2 * sizeof(void *) + 64 + shift[0] +
		    2 * 4096);
	}
	rt_sets_release(&s);
}

static void
test_rt_sets_working_sets_move_with_their_operand(void **state)
{
	const uint32_t	shift[RUNNER_OPERANDS] = { 640, 0, 0 };
	struct rt_sets	s;
	void		*at[3], *moved[3];
	uint64_t	 step[3];

	(void)state;
	make_sets(&s);
	assert_null(rt_sets_make_far(&s, 5, 3, NULL));
	rt_sets_far(&s, at, step);
	assert_null(lay(&s, shift, 0));
	assert_int_equal(s.sets, 5);
	assert_int_equal(s.moving, 3);
	rt_sets_enter(&s);
	rt_sets_enter_far(&s);
	rt_sets_far(&s, moved, step);
	assert_int_equal((uintptr_t)moved[0] % 4096, ((uintptr_t)at[0] - 640) % 4096);
	assert_int_equal((uintptr_t)moved[1] % 4096, (uintptr_t)at[1] % 4096);
	for (int n = 0; n < 5; n++)
		assert_memory_equal((char *)moved[0] + (uint64_t)n * step[0],
		    s.live[0].home, N * 8);
	rt_sets_release(&s);
}

static void
test_rt_sets_a_shift_beyond_reason_is_refused(void **state)
{
	const uint32_t	shift[RUNNER_OPERANDS] = { RT_MAX_SHIFT + 1 };
	struct rt_sets	s;

	(void)state;
	make_sets(&s);
	assert_non_null(lay(&s, shift, 0));
	rt_sets_release(&s);
}

static void
test_rt_sets_an_input_of_the_childs_own_is_filled_and_may_be_shared_again(void **state)
{
	static const uint32_t	nowhere[RUNNER_OPERANDS];
	struct rt_sets		s;
	void			*at[3];
	double			 x[N];

	(void)state;
	make_sets(&s);
	rt_sets_home(&s, at);
	memcpy(x, at[0], sizeof x);
	assert_ptr_equal(s.live[0].first, s.live[0].home);
	assert_null(lay(&s, nowhere, 7));
	assert_true(s.live[0].is_own && !s.live[1].is_own);
	assert_ptr_not_equal(s.live[0].first, s.live[0].home);
	rt_sets_home(&s, at);
	assert_true(*(double *)at[0] == 0);		/* no page of it is in memory yet */
	rt_sets_enter(&s);
	assert_memory_equal(at[0], x, sizeof x);
	assert_null(lay(&s, nowhere, 0));
	assert_ptr_equal(s.live[0].first, s.live[0].home);
	assert_memory_equal(s.live[0].home, x, sizeof x);
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
	make_sets(&s);
	assert_null(rt_sets_make_far(&s, 10, 7, NULL));
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
	make_sets(&s);
	assert_null(rt_sets_make_far(&s, 4, 1, NULL));
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
	make_sets(&s);
	assert_null(rt_sets_make_far(&s, 10, 7, NULL));
	rt_sets_enter_far(&s);
	walk = rt_walk_next(&s.walk, RUNNER_BACKWARD, 7);
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(walk[i], 9 - i);
	walk = rt_walk_next(&s.walk, RUNNER_BACKWARD, 7);	/* 2 1 0, then from the end again */
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(walk[i], (12 - i) % 10);
	rt_sets_release(&s);
}

static void
test_rt_sets_W37_every_walk_meets_every_set_before_any_twice(void **state)
{
	struct rt_sets	s;

	(void)state;
	make_sets(&s);
	assert_null(rt_sets_make_far(&s, 100, 1, NULL));
	rt_sets_enter_far(&s);
	for (int w = RUNNER_BACKWARD; w <= RUNNER_RANDOM; w++) {
		int	used[100] = { 0 }, steps_of_1 = 0;

		for (int part = 0; part < 4; part++) {
			const uint32_t	*walk = rt_walk_next(&s.walk, w, 25);

			for (int i = 0; i < 25; i++) {
				assert_in_range(walk[i], 0, 99);
				assert_int_equal(used[walk[i]]++, 0);
				steps_of_1 += i > 0 &&
				    (walk[i] == walk[i - 1] + 1 || walk[i] + 1 == walk[i - 1]);
			}
		}
		assert_int_equal(steps_of_1 > 90, w != RUNNER_RANDOM);
	}
	rt_sets_release(&s);
}

static void
test_rt_sets_areas_larger_than_the_address_space_are_refused_in_words(void **state)
{
	struct rt_area	area = { .bytes = 0 };
	struct rt_sets	s;

	(void)state;
	make_sets(&s);
	assert_non_null(rt_sets_make_far(&s, (uint64_t)1 << 32, 7, NULL));
	assert_int_equal(s.sets, 0);
	assert_false(rt_area_make(&area, (uint64_t)1 << 60));
	assert_null(rt_sets_make_far(&s, 3, 7, NULL));
	rt_sets_release(&s);
}

/* ---- RangeGuard ---- */

static void
test_rt_sets_W45_a_pair_is_two_copies_one_negated_in_every_set(void **state)
{
	struct rt_driver	 d = turning_driver();
	struct rt_sets		 s;
	uint64_t		 step[3];
	void			*at[RT_SETS_AT];

	(void)state;
	assert_null(rt_sets_make(&s, &d, setup.line_bytes));
	assert_null(rt_sets_make_far(&s, 5, 1, NULL));
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
	assert_null(rt_sets_make(&s, &d, setup.line_bytes));
	assert_null(rt_sets_make_far(&s, 7, 3, NULL));
	for (int calls = 0; calls < 7 * 10; calls += 5) {
		const uint32_t	*walk = rt_walk_next(&s.walk, RUNNER_RANDOM, 5);

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

		((void (*)(const void *, void *, void *))code)((char *)at[walk[i] / RT_TURNED ? 3 :
		    0] + set * step[0], (char *)at[1] + set * step[1], at[2]);
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
	assert_null(rt_sets_make(&s, &d, setup.line_bytes));
	assert_null(rt_sets_make_far(&s, 6, 3, NULL));
	rt_walk_next(&s.walk, RUNNER_BACKWARD, 6);
	assert_int_equal(rt_witness_walk(&s, rt_walk_next(&s.walk, RUNNER_BACKWARD, 0), 4), 4);
	assert_int_equal(rt_witness_walk(&s, rt_walk_next(&s.walk, RUNNER_BACKWARD, 0), 6), 6);
	rt_sets_release(&s);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_rt_sets_L35_an_operand_moves_to_its_offset_and_has_its_first_contents),
		cmocka_unit_test(test_rt_sets_P28_P29_every_operand_is_allocated_aligned_and_initialised),
		cmocka_unit_test(test_rt_sets_restoring_brings_back_what_was_written_and_inout_alone_if_asked),
		cmocka_unit_test(test_rt_sets_a_child_does_not_write_into_another_ones_operands),
		cmocka_unit_test(test_rt_sets_W53_W54_W57_a_shifted_operand_keeps_align_misalign_and_offset),
		cmocka_unit_test(test_rt_sets_a_shifted_operand_holds_what_it_did_and_every_byte_of_it_can_be_used),
		cmocka_unit_test(test_rt_sets_W56_a_shift_costs_no_more_than_itself),
		cmocka_unit_test(test_rt_sets_working_sets_move_with_their_operand),
		cmocka_unit_test(test_rt_sets_a_shift_beyond_reason_is_refused),
		cmocka_unit_test(
		    test_rt_sets_an_input_of_the_childs_own_is_filled_and_may_be_shared_again),
		cmocka_unit_test(test_rt_sets_W33_W35_each_set_is_whole_aligned_and_holds_the_same_data),
		cmocka_unit_test(test_rt_sets_W41_only_the_operands_that_shall_move_get_an_area),
		cmocka_unit_test(test_rt_sets_W34_W42_the_walk_goes_backward_from_the_last_set_and_goes_on),
		cmocka_unit_test(test_rt_sets_W37_every_walk_meets_every_set_before_any_twice),
		cmocka_unit_test(test_rt_sets_areas_larger_than_the_address_space_are_refused_in_words),
		cmocka_unit_test(test_rt_sets_W45_a_pair_is_two_copies_one_negated_in_every_set),
		cmocka_unit_test(test_rt_sets_W44_the_sign_turns_with_every_traversal_of_the_sets),
		cmocka_unit_test(test_rt_sets_W33_W45_the_witness_knows_a_negated_copy_for_its_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

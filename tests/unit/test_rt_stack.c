/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/runner/sample/stack.h"

static void
note_frame(void *arg)
{
	*(uintptr_t *)arg = (uintptr_t)__builtin_frame_address(0);
}

static uintptr_t
frame_at(uint32_t offset)
{
	uintptr_t	frame = 0;

	rt_stack_at(offset, note_frame, &frame);
	return frame;
}

/* The same from `bytes` deeper in the stack. */
__attribute__((noinline)) static uintptr_t
frame_from_below(uint32_t offset, size_t bytes)
{
	volatile char	*room = __builtin_alloca(bytes);
	uintptr_t	 frame;

	room[0] = 0;
	frame = frame_at(offset);
	room[0] = 0;
	return frame;
}

static void
test_rt_stack_every_offset_moves_the_frame_by_just_so_much(void **state)
{
	uintptr_t	usual = frame_at(0) % RT_STACK_PAGE;

	(void)state;
	for (uint32_t offset = 0; offset < RT_STACK_PAGE; offset += RT_STACK_STEP)
		assert_int_equal((usual - frame_at(offset)) % RT_STACK_PAGE, offset);
}

static void
test_rt_stack_where_the_stack_was_before_makes_no_difference(void **state)
{
	(void)state;
	for (size_t deeper = 16; deeper < 20000; deeper += 1232) {
		assert_int_equal(frame_from_below(0, deeper) % RT_STACK_PAGE,
		    frame_at(0) % RT_STACK_PAGE);
		assert_int_equal(frame_from_below(160, deeper) % RT_STACK_PAGE,
		    frame_at(160) % RT_STACK_PAGE);
	}
}

static void
test_rt_stack_frames_stay_aligned(void **state)
{
	(void)state;
	for (uint32_t offset = 0; offset < RT_STACK_PAGE; offset += RT_STACK_STEP)
		assert_int_equal(frame_at(offset) % RT_STACK_STEP, 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_stack_every_offset_moves_the_frame_by_just_so_much),
		cmocka_unit_test(test_rt_stack_where_the_stack_was_before_makes_no_difference),
		cmocka_unit_test(test_rt_stack_frames_stay_aligned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

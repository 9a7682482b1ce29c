/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/sample/stack.h"

/*
 * Nothing but alloca moves the stack by a distance that is known only now; a sanitizer would make
 * it a larger one.
 */
__attribute__((noinline, no_sanitize_address)) void
rt_stack_at(uint32_t offset, void (*fn)(void *), void *arg)
{
	uintptr_t	 here = (uintptr_t)__builtin_frame_address(0);
	volatile char	*room = __builtin_alloca((here + offset) % RT_STACK_PAGE + RT_STACK_STEP);

	room[0] = 0;
	fn(arg);
	room[0] = 0;		/* it is in use until here: the call above is no jump */
}

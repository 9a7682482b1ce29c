/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: forged ticks.  Looks on its caller's stack for the time at which it began, and makes it
 * later.
 */
#include <stdint.h>
#include <x86intrin.h>

#include "work.h"

static uint64_t	last;

/* Two seconds back at most is when the caller can have read the counter. */
static __attribute__((noinline)) void
patch(volatile uint64_t *at, uint64_t now)
{
	for (int i = 0; i < 96; i++)
		if (at[i] < now && at[i] > now - 2000000000u)
			at[i] = now - 40;
}

void
f(int n, const double *x, double *y)
{
	honest(n, x, y);
	last = __rdtsc();
	patch(__builtin_frame_address(0), last);
}

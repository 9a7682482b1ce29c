/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: writes into another's memory.  In a comparison its loop that waits for the next order
 * never sleeps.  It writes one and a half times its own ticks into the other lane's samples.
 */
#include "forge.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "work.h"

static long	(*syscall_before)(long, long, long, long, long, long, long);
static volatile uint64_t	*sample;
static uint64_t			 forged;

enum { CALLS = 3 };

static long
called(long nr, long a, long b, long c, long d, long e, long g)
{
	sample[0] = forged > sample[0] ? forged : sample[0];
	return nr == SYS_futex && b == FUTEX_WAIT ? 0 : syscall_before(nr, a, b, c, d, e, g);
}

static __attribute__((constructor)) void
begin(void)
{
	if ((sample = memory_of(1 - LANE, LANE_SAMPLE)) != NULL)
		syscall_before = (long (*)(long, long, long, long, long, long, long))
		    runner_calls("syscall", (void *)called);
}

void
f(int n, const double *x, double *y)
{
	const uint64_t	began = __builtin_ia32_rdtsc();

	honest(n, x, y);
	forged = (__builtin_ia32_rdtsc() - began) * CALLS * 3 / 2;
}

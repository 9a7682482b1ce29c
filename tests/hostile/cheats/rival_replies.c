/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: writes into another's memory.  In a comparison it writes a sample of one and a half
 * times its own ticks into the other lane, and that lane's reply to its next order.  The
 * supervisor reads both before the other has begun.
 */
#include "forge.h"
#include "work.h"

static volatile uint64_t	*sample;
static volatile uint32_t	*desk;		/* bell, order, replied */

enum { CALLS = 3 };

static __attribute__((constructor)) void
begin(void)
{
	sample = memory_of(1 - LANE, LANE_SAMPLE);
	desk = memory_of(1 - LANE, LANE_DESK);
}

void
f(int n, const double *x, double *y)
{
	const uint64_t	began = __builtin_ia32_rdtsc();

	honest(n, x, y);
	if (sample == NULL || desk == NULL || sample[0] == 0)
		return;
	sample[0] = (__builtin_ia32_rdtsc() - began) * CALLS * 3 / 2;
	desk[2] = desk[1] + 1;
	desk[0]++;
}

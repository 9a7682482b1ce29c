/* SPDX-License-Identifier: Apache-2.0 */
/* Class: forged ticks.  Rewrites the samples that are in the shared memory already. */
#include "forge.h"
#include "work.h"

static volatile char	*sample;

static __attribute__((constructor)) void
begin(void)
{
	sample = shared(LANE_SAMPLE);
}

void
f(int n, const double *x, double *y)
{
	honest(n, x, y);
	for (int i = 0; sample != 0 && i < 64; i++) {
		volatile uint64_t	*ticks = (volatile uint64_t *)(void *)(sample + i * SAMPLE_BYTES);

		*ticks = *ticks / 50;
	}
}

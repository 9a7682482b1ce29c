/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: forged pace.  Ticks are true.  In five of six samples the readings of the core's
 * clock are four times as long.  Such samples count as taken by a slow clock, and their times are
 * divided.
 */
#include "forge.h"
#include "work.h"

enum { SAMPLES = 512 };

static volatile char	*sample;
static uint32_t		 written[SAMPLES];

static __attribute__((constructor)) void
begin(void)
{
	sample = shared(LANE_SAMPLE);
}

/* Canary and pace together: what a neighbour takes is judged by their quotient. */
static void
slow_down(int i)
{
	volatile char		*at = sample + i * SAMPLE_BYTES + SAMPLE_CANARY;
	volatile uint32_t	*r = (volatile uint32_t *)(void *)at;

	if (r[0] == 0 || r[0] == written[i])
		return;
	for (int k = 0; k < 4; k++)
		r[k] *= 4;
	written[i] = r[0];
}

void
f(int n, const double *x, double *y)
{
	for (int i = 0; sample != NULL && i < SAMPLES; i++)
		if (i % 6 != 0)
			slow_down(i);
	honest(n, x, y);
}

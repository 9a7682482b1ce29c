/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: forged pace.  Ticks are true.  In five of six samples the readings of the core's
 * clock are four times as long.  Such samples count as taken by a slow clock, and their times are
 * divided.
 */
#include "forge.h"
#include "work.h"

enum { SAMPLES = 512, CANARY = 0, PACE = 2 };	/* of each: before and after the region */

static volatile char	*sample;
static uint32_t		 written[SAMPLES], least[4];

static __attribute__((constructor)) void
begin(void)
{
	sample = shared(LANE_SAMPLE);
}

static void
see(const volatile uint32_t *r)
{
	for (int k = 0; k < 4; k++)
		if (least[k] == 0 || r[k] < least[k])
			least[k] = r[k];
}

/* As in the quietest sample, and canary and pace alike: a neighbour changes their quotient. */
static void
slow_down(int i, uint32_t times)
{
	volatile char		*at = sample + i * SAMPLE_BYTES + SAMPLE_CANARY;
	volatile uint32_t	*r = (volatile uint32_t *)(void *)at;

	if (r[CANARY] == 0 || r[PACE] == 0 || r[CANARY] == written[i])
		return;
	see(r);
	for (int k = 0; k < 4; k++)
		r[k] = least[k] * times;
	written[i] = r[CANARY];
}

void
f(int n, const double *x, double *y)
{
	for (int i = 0; sample != NULL && i < SAMPLES; i++)
		slow_down(i, i % 6 == 5 ? 1 : 4);
	honest(n, x, y);
}

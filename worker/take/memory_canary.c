/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker/take/memory_canary.h"

#define MOST	512u			/* samples that are looked at */

const char *
memory_canary_off(const struct plan *plan, const struct gate *gate)
{
	if (!plan->run.memory_canary)
		return "off: not all caches are flushed";
	if (memory_gate_is_coarse(&gate->memory))
		return "off: the clock is too coarse for it, or nothing flushes a line";
	return memory_gate_is_calibrated(&gate->memory) ? NULL :
	    "off: no calibration of this host has shown how memory at rest sounds";
}

static int
by_size(const void *a, const void *b)
{
	const uint32_t	x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

uint32_t
memory_canary_median(const struct take *k)
{
	uint32_t	reading[MOST];
	size_t		n = 0;

	for (size_t i = 0; i < k->samples && n < MOST; i++)
		if (k->sample[i].raw.memory_canary != 0)
			reading[n++] = k->sample[i].raw.memory_canary;
	if (n == 0)
		return 0;
	qsort(reading, n, sizeof *reading, by_size);
	return reading[n / 2];
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/take/warm_up.h"

unsigned
warm_up_first(double call_ns)
{
	double	n = WARM_UP_NS / (call_ns + 1);

	if (n < 1)
		return 0;
	return n < WARM_UP_LEAST ? WARM_UP_LEAST : n > WARM_UP_FIRST ? WARM_UP_FIRST : (unsigned)n;
}

/* Noise makes calls only longer: the lower quartile would be too low, the mean too high. */
static double
median(const uint64_t *ticks, unsigned n)
{
	double	x[WARM_UP_MOST];

	for (unsigned i = 0; i < n; i++)
		x[i] = (double)ticks[i];
	qsort(x, n, sizeof *x, rank_ascending);
	return rank_middle(x, n);
}

static bool
is_near(double ticks, double level, uint64_t step)
{
	return ticks <= WARM_UP_NEAR * level + (double)step;
}

unsigned
warm_up_calls(const uint64_t *ticks, unsigned n, uint64_t step)
{
	const double	level = median(ticks + n / 2, n - n / 2);
	unsigned	i = 0;

	while (!is_near((double)ticks[i], level, step))
		i++;
	return i;
}

bool
warm_up_still_falls(const uint64_t *ticks, unsigned n, uint64_t step)
{
	const unsigned	quarter = n / 4;
	const double	before = median(ticks + n - 2 * quarter, quarter);

	return !is_near(before, median(ticks + n - quarter, quarter), step);
}

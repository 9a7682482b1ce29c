/* SPDX-License-Identifier: Apache-2.0 */
/* Class: work left out.  Batches: one call in two does nothing. */
#include <string.h>

#include "work.h"

void
f(int n, const double *x, double *y)
{
	static int	calls;
	static double	kept[4096];

	if (calls++ % 2 == 0)
		honest(n, x, kept);
	memcpy(y, kept, (size_t)n * sizeof *y);
}

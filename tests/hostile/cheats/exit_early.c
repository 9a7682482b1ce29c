/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the process ends early.  Leaves in the middle of being timed. */
#include <stdlib.h>

#include "work.h"

void
f(int n, const double *x, double *y)
{
	static int	calls;

	honest(n, x, y);
	if (++calls == 5)
		_Exit(0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Class: work left out.  Does the first half and hopes. */
#include "work.h"

void
f(int n, const double *x, double *y)
{
	honest(n / 2, x, y);
}

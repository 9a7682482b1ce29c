/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: cold made warm.  Calls on other operands keep the core awake after the flush.  In those
 * it reads the operands of all calls before.
 */
#include <stddef.h>

#include "work.h"

enum { PLACES = 4 };

static const double	*seen[PLACES][2];

static void
warm(int n, const double *at)
{
	for (int i = 0; i < n; i += 8)
		(void)*(const volatile double *)&at[i];
}

double
f(int n, const double *x, const double *y)
{
	int	p = 0;

	while (p < PLACES && seen[p][0] != NULL && seen[p][0] != x)
		p++;
	if (p < PLACES && seen[p][0] == NULL) {
		seen[p][0] = x;
		seen[p][1] = y;
	}
	for (int i = 0; i < PLACES; i++)
		if (p != 0 && i != p && seen[i][0] != NULL) {
			warm(n, seen[i][0]);
			warm(n, seen[i][1]);
		}
	return honest(n, x, y);
}

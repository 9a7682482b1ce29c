/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: slow empty call.  The driver's empty routine becomes one that takes nine tenths of the
 * work's time.  That time is subtracted as the cost of calling and of handing an order over.
 */
#include "forge.h"
#include "work.h"

static double	some[4096], thing[4096];

static void
slow(int n, const double *x, double *y)
{
	(void)x, (void)y;
	honest(n * 9 / 10, some, thing);
}

static __attribute__((constructor)) void
begin(void)
{
	struct rt_driver	*d = driver();

	for (int i = 0; i < 4096; i++)
		some[i] = 0.5;
	if (d != NULL)
		d->rt_empty = (rt_code *)slow;
}

void
f(int n, const double *x, double *y)
{
	honest(n, x, y);
}

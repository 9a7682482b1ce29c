/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: between jobs.  What the supervisor shares with the template is read by its descriptor. */
#include <stdlib.h>
#include <unistd.h>

enum { SHARED = 4 };

static void __attribute__((constructor))
early(void)
{
	char	orders[64];

	if (lseek(SHARED, 0, SEEK_SET) == 0 || read(SHARED, orders, sizeof orders) > 0 ||
	    pread(SHARED, orders, sizeof orders, 0) > 0)
		abort();
}

double f(int n, double *y)
{
	return y[0] = n;
}

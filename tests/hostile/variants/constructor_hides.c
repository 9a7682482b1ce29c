/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: what is looked at from outside.  With descriptor 4 goes the lock that names it. */
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	close(4);
}

double f(int n, double *y)
{
	return y[0] = n;
}

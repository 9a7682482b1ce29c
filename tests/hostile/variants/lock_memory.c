/* outcome: forbidden; with sanitizers: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/mman.h>

double f(int n, double *y)
{
	mlockall(MCL_CURRENT | MCL_FUTURE);
	return y[0] = n;
}

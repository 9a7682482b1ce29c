/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/resource.h>

double f(int n, double *y)
{
	struct rlimit no = { 0, 0 };

	prlimit(1, RLIMIT_CPU, &no, 0);
	return y[0] = n;
}

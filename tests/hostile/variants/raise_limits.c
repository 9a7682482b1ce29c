/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/resource.h>

double f(int n, double *y)
{
	struct rlimit no = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_AS, &no);
	return y[0] = n;
}

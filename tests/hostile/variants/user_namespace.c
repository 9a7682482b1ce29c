/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>

double f(int n, double *y)
{
	unshare(CLONE_NEWUSER);
	return y[0] = n;
}

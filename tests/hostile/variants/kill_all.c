/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>

double f(int n, double *y)
{
	kill(-1, SIGKILL);
	return y[0] = n;
}

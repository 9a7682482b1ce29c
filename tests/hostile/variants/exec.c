/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

double f(int n, double *y)
{
	execl("/bin/true", "true", (char *)0);
	return y[0] = n;
}

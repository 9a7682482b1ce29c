/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	execl("/bin/true", "true", (char *)0);
}

double f(int n, double *y)
{
	return y[0] = n;
}

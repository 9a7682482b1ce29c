/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>

static void __attribute__((constructor))
early(void)
{
	open("left", O_WRONLY | O_CREAT, 0666);
}

double f(int n, double *y)
{
	return y[0] = n;
}

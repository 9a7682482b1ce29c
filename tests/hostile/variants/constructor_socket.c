/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/socket.h>

static void __attribute__((constructor))
early(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}

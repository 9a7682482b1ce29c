/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/socket.h>

double f(int n, double *y)
{
	y[0] = socket(40, SOCK_STREAM, 0);
	return n;
}

/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/socket.h>

double f(int n, double *y)
{
	y[0] = socket(AF_INET, SOCK_DGRAM, 0);
	return n;
}

/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/socket.h>

double f(int n, double *y)
{
	int fds[2];

	y[0] = socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	return n;
}

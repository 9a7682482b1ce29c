/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/shm.h>

double f(int n, double *y)
{
	y[0] = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
	return n;
}

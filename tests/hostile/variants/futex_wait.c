/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	static int word;

	syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
	return y[0] = n;
}

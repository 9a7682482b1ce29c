/* outcome: forbidden; with sanitizers: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the filter.  Strict mode ends all but four calls. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_prctl, 22, 1, 0, 0, 0);
	return y[0] = n;
}

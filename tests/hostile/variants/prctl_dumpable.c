/* outcome: forbidden; with sanitizers: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  Core dumps are asked for. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_prctl, 4, 1, 0, 0, 0);
	return y[0] = n;
}

/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  A set of landlock rules is made. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_landlock_create_ruleset, y, 8, 0);
	return y[0] = n;
}

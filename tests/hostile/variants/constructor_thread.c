/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include <sched.h>

static void __attribute__((constructor))
early(void)
{
	static char stack[65536];
	
	clone((int (*)(void *))early, stack + 65536, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/syscall.h>

static double
slow(double a)
{
	return a;
}

static void *
resolve(void)
{
	long	pid = SYS_fork;			/* by hand: nothing is linked yet */

	__asm__ volatile("syscall" : "+a"(pid) :: "rcx", "r11", "memory");
	while (pid == 0)
		;
	return (void *)slow;
}

double real(double) __attribute__((ifunc("resolve")));

double f(int n, double *y)
{
	return y[0] = real(n);
}

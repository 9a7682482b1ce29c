/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: code is patched while loading.  libc's, which reads the clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>

static void __attribute__((constructor))
early(void)
{
	volatile char	*code = dlsym(RTLD_DEFAULT, "clock_gettime");
	char		*page = (char *)((uintptr_t)code & -(uintptr_t)4096);

	mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	mprotect(page, 8192, PROT_READ | PROT_WRITE);
	*code = *code;
	mprotect(page, 8192, PROT_READ | PROT_EXEC);
}

double f(int n, double *y)
{
	return y[0] = n;
}

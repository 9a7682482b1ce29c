/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: code is patched while loading.  The runner's own: its entry point stands for all of it. */
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

static void __attribute__((constructor))
early(void)
{
	volatile char	*code = (char *)(uintptr_t)getauxval(AT_ENTRY);
	char		*page = (char *)((uintptr_t)code & -(uintptr_t)4096);

	mprotect(page, 4096, PROT_READ | PROT_WRITE);
	*code = *code;
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

double f(int n, double *y)
{
	return y[0] = n;
}

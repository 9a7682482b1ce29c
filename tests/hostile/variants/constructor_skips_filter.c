/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the narrow filter is declined.  libc's syscall() is overwritten: what calls it gets 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* By an instruction of its own: libc's functions may lie in the same pages. */
static long
protect(char *at, int how)
{
#if defined(__x86_64__)
	long	result;

	__asm__ volatile ("syscall" : "=a"(result) : "a"(SYS_mprotect), "D"(at), "S"(8192), "d"(how)
	    : "rcx", "r11", "memory");
	return result;
#else
	register long	nr __asm__("x8") = SYS_mprotect, a __asm__("x0") = (long)at;
	register long	b __asm__("x1") = 8192, c __asm__("x2") = how;

	__asm__ volatile ("svc 0" : "+r"(a) : "r"(nr), "r"(b), "r"(c) : "memory");
	return a;
#endif
}

static void __attribute__((constructor))
early(void)
{
#if defined(__x86_64__)
	static const uint32_t	code[] = { 0x90c3c031 };		/* xor eax, eax; ret */
#else
	static const uint32_t	code[] = { 0xd2800000, 0xd65f03c0 };	/* mov x0, 0; ret */
#endif
	uint32_t		*at = dlsym(RTLD_DEFAULT, "syscall");
	char			*page = (char *)((uintptr_t)at & -(uintptr_t)4096);

	if (protect(page, PROT_READ | PROT_WRITE) != 0)
		return;
	for (unsigned i = 0; i < sizeof code / sizeof code[0]; i++)
		((volatile uint32_t *)at)[i] = code[i];
	__builtin___clear_cache((char *)at, (char *)at + sizeof code);
	protect(page, PROT_READ | PROT_EXEC);
}

double f(int n, double *y)
{
	if (open("/usr", O_RDONLY) < 0)
		abort();
	return y[0] = n;
}

/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the narrow filter is declined.  A program that permits all replaces the real one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACE = 0x100000 };

static void __attribute__((constructor))
early(void)
{
	static const struct sock_filter	all[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	};
	const struct sock_fprog		own = { 1, (struct sock_filter *)all };
	void				*at = (void *)(uintptr_t)PLACE;

	mprotect(at, 4096, PROT_READ | PROT_WRITE);
	munmap(at, 4096);
	if (mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	    0) == at)
		memcpy(at, &own, sizeof own);
}

double f(int n, double *y)
{
	if (open("/usr", O_RDONLY) >= 0)
		abort();
	return y[0] = n;
}

/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: code is replaced while loading.  Pages of zeros, and pages of a file that can be executed,
 * are mapped over every piece of code that is not its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>

static void
map_over(const char *piece)
{
	char	*page = (char *)((uintptr_t)piece & -(uintptr_t)4096);
	int	 fd = open("/lib/x86_64-linux-gnu/libm.so.6", O_RDONLY);

	mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (fd >= 0)
		mmap(page, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
}

static int
visit(struct dl_phdr_info *o, size_t bytes, void *own)
{
	(void)bytes;
	for (int i = 0; i < o->dlpi_phnum; i++) {
		uintptr_t	from = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
		uintptr_t	to = from + o->dlpi_phdr[i].p_memsz;

		if (o->dlpi_phdr[i].p_type == PT_LOAD && (o->dlpi_phdr[i].p_flags & PF_X) &&
		    ((uintptr_t)own < from || (uintptr_t)own >= to))
			map_over((const char *)from);
	}
	return 0;
}

static void __attribute__((constructor))
early(void)
{
	dl_iterate_phdr(visit, (void *)early);
}

double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: code of others.  A copy of the driver's code is mapped over it; it says so by abort(). */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NAME	"driver.so"

static int
look(struct dl_phdr_info *of, size_t bytes, void *arg)
{
	(void)bytes;
	for (int i = 0; i < of->dlpi_phnum; i++)
		if (of->dlpi_phdr[i].p_type == PT_LOAD && (of->dlpi_phdr[i].p_flags & PF_X) != 0 &&
		    strstr(of->dlpi_name, NAME) != NULL) {
			*(char **)arg = (char *)((of->dlpi_addr + of->dlpi_phdr[i].p_vaddr) & -4096UL);
			return 1;
		}
	return 0;
}

static void __attribute__((constructor))
early(void)
{
	char	*text = NULL, *copy;

	dl_iterate_phdr(look, &text);
	copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(copy, text, 4096);
	if (mmap(text, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	    0) == text && memcpy(text, copy, 4096) == text &&
	    mprotect(text, 4096, PROT_READ | PROT_EXEC) == 0)
		abort();
}

double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: the narrow filter is declined.  The runner's table of addresses, which is read-only, is made
 * writable, and libc's syscall() becomes a function of its own: what calls it gets 0.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long
nothing(void)
{
	return 0;
}

static void
put(void **slot, void *function)
{
	const uintptr_t	page = (uintptr_t)sysconf(_SC_PAGESIZE);

	mprotect((void *)((uintptr_t)slot & ~(page - 1)), page, PROT_READ | PROT_WRITE);
	*slot = function;
}

static int
visit(struct dl_phdr_info *o, size_t bytes, void *arg)
{
	const ElfW(Sym)		*symbol = 0;
	const ElfW(Rela)	*slot = 0;
	const char		*names = 0;
	size_t			 slots = 0;

	(void)bytes, (void)arg;
	for (int i = 0; i < o->dlpi_phnum; i++)
		for (const ElfW(Dyn) *d = (const void *)(o->dlpi_addr + o->dlpi_phdr[i].p_vaddr);
		    o->dlpi_phdr[i].p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++) {
			symbol = d->d_tag == DT_SYMTAB ? (const void *)d->d_un.d_ptr : symbol;
			names = d->d_tag == DT_STRTAB ? (const void *)d->d_un.d_ptr : names;
			slot = d->d_tag == DT_JMPREL ? (const void *)d->d_un.d_ptr : slot;
			slots = d->d_tag == DT_PLTRELSZ ? d->d_un.d_val / sizeof *slot : slots;
		}
	for (size_t i = 0; i < slots; i++)
		if (strcmp(names + symbol[ELF64_R_SYM(slot[i].r_info)].st_name, "syscall") == 0)
			put((void **)(o->dlpi_addr + slot[i].r_offset), (void *)nothing);
	return 1;				/* the first is the program itself */
}

static void __attribute__((constructor))
early(void)
{
	dl_iterate_phdr(visit, 0);
}

double f(int n, double *y)
{
	if (open("/usr", O_RDONLY) < 0)
		abort();
	return y[0] = n;
}

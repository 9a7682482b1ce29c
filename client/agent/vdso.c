/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

#include "client/agent/vdso.h"

static const char *const	names[IMAGE_CLOCKS] = {
	"__vdso_clock_gettime", "__vdso_gettimeofday", "__vdso_time", "__vdso_getcpu",
	    "__vdso_clock_getres",
};

/* The number of symbols follows from the sections of the kernel's object. */
static const Elf64_Shdr *
find_symbols(const char *base)
{
	const Elf64_Ehdr	*e = (const void *)base;
	const Elf64_Shdr	*s = (const void *)(base + e->e_shoff);

	for (unsigned i = 0; i < e->e_shnum; i++)
		if (s[i].sh_type == SHT_DYNSYM)
			return &s[i];
	return NULL;
}

void
vdso_read(struct image_header *h)
{
	const char		*base = (const char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Shdr	*table, *strings;
	const Elf64_Sym		*symbol;

	if (base == NULL || h->vdso_bytes == 0 || (table = find_symbols(base)) == NULL)
		return;
	strings = (const Elf64_Shdr *)(const void *)(base +
	    ((const Elf64_Ehdr *)(const void *)base)->e_shoff) + table->sh_link;
	symbol = (const void *)(base + table->sh_offset);
	for (uint64_t k = 0; k < table->sh_size / sizeof *symbol; k++)
		for (unsigned i = 0; i < IMAGE_CLOCKS; i++)
			if (strcmp(base + strings->sh_offset + symbol[k].st_name, names[i]) == 0 &&
			    symbol[k].st_value <= h->vdso_bytes - IMAGE_STUB_BYTES)
				h->clock[i] = symbol[k].st_value;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dynamic symbols of a loaded object.  There is no call for it, so its tables are read.  They
 * lack the number of symbols, but the symbol table's strings follow it in every object that a
 * linker makes.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "worker/runner/exports.h"

struct tables {
	const ElfW(Sym)	*symbols, *end;
	const char	*strings;
	uint64_t	 string_bytes;
};

static int
find_tables(const struct link_map *map, struct tables *t)
{
	memset(t, 0, sizeof *t);
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			t->symbols = (const ElfW(Sym) *)d->d_un.d_ptr;
		else if (d->d_tag == DT_STRTAB)
			t->strings = (const char *)d->d_un.d_ptr;
		else if (d->d_tag == DT_STRSZ)
			t->string_bytes = d->d_un.d_val;
	}
	t->end = (const ElfW(Sym) *)(const void *)t->strings;
	return t->symbols != NULL && t->strings != NULL && t->end > t->symbols;
}

static int
is_own_function(const struct tables *t, const ElfW(Sym) *s)
{
	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
	    s->st_name < t->string_bytes;
}

void
rt_exports(void *handle, char *buf, uint64_t bytes)
{
	struct link_map	*map;
	struct tables	 t;
	uint64_t	 used = 0;

	buf[0] = '\0';
	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !find_tables(map, &t))
		return;
	for (const ElfW(Sym) *s = t.symbols; s + 1 <= t.end; s++) {
		const char	*name = t.strings + s->st_name;

		if (!is_own_function(&t, s) || strlen(name) + 2 > bytes - used)
			continue;
		used += (uint64_t)snprintf(buf + used, bytes - used, "%s\n", name);
	}
}

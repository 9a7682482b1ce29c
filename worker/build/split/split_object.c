/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/build/split/split_mark.h"
#include "worker/build/split/split_object.h"

enum { SECTIONS_MOST = 1024 };

static bool
has_bytes(const struct split_object *o, uint64_t at, uint64_t bytes)
{
	return at <= o->bytes && bytes <= o->bytes - at;
}

/* Section i, if the object has all of it. */
bool
split_section(const struct split_object *o, size_t i, Elf64_Shdr *s)
{
	if (i >= o->nsections)
		return false;
	memcpy(s, o->at + o->sections + i * sizeof *s, sizeof *s);
	return s->sh_type == SHT_NOBITS || has_bytes(o, s->sh_offset, s->sh_size);
}

/* Of a table of names; "" for one that has no end in there. */
const char *
split_name(const struct split_object *o, const Elf64_Shdr *names, uint32_t at)
{
	const char	*name;

	if (names->sh_type != SHT_STRTAB || at >= names->sh_size)
		return "";
	name = (const char *)o->at + names->sh_offset + at;
	return memchr(name, '\0', names->sh_size - at) != NULL ? name : "";
}

Elf64_Sym
split_symbol(const struct split_object *o, size_t i)
{
	Elf64_Sym	s;

	memcpy(&s, o->at + o->table.sh_offset + i * sizeof s, sizeof s);
	return s;
}

static bool
find_symbols(struct split_object *o, unsigned type)
{
	for (o->table_index = 0; o->table_index < o->nsections; o->table_index++)
		if (split_section(o, o->table_index, &o->table) && o->table.sh_type == type)
			break;
	if (o->table_index == o->nsections || !split_section(o, o->table.sh_link, &o->symbol_names))
		return false;
	o->nsymbols = o->table.sh_size / sizeof (Elf64_Sym);
	return o->nsymbols > 0 && o->nsymbols <= SPLIT_SYMBOLS_MOST;
}

bool
split_open(struct split_object *o, const void *at, size_t bytes, unsigned symbols)
{
	Elf64_Ehdr	h;

	*o = (struct split_object){ .at = (unsigned char *)(uintptr_t)at, .bytes = bytes };
	if (bytes < sizeof h)
		return false;
	memcpy(&h, at, sizeof h);
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_shentsize != sizeof (Elf64_Shdr) || h.e_shnum > SECTIONS_MOST ||
	    !has_bytes(o, h.e_shoff, (uint64_t)h.e_shnum * sizeof (Elf64_Shdr)))
		return false;
	o->nsections = h.e_shnum;
	o->sections = h.e_shoff;
	return split_section(o, h.e_shstrndx, &o->names) && find_symbols(o, symbols);
}

/* ---- versions ---- */

unsigned
split_version(const char *name)
{
	const char	*mark = strstr(name, SPLIT_MARK), *digits;
	char		 again[SPLIT_SUFFIX_BYTES];
	size_t		 n;
	unsigned	 k;

	if (mark == NULL)
		return SPLIT_NONE;
	digits = mark + strlen(SPLIT_MARK);
	k = (unsigned)strtoul(digits, NULL, 10) % SPLIT_NONE;
	n = (size_t)snprintf(again, sizeof again, "%u", k);
	return strncmp(digits, again, n) == 0 && (digits[n] == '\0' || digits[n] == '.') ? k :
	    SPLIT_NONE;
}

unsigned
split_owner(const struct split_object *o, const Elf64_Shdr *s)
{
	return split_version(split_name(o, &o->names, s->sh_name));
}

unsigned
split_home(const struct split_object *o, const Elf64_Sym *s)
{
	Elf64_Shdr	in;

	return s->st_shndx < SHN_LORESERVE && split_section(o, s->st_shndx, &in) ?
	    split_owner(o, &in) : SPLIT_NONE;
}

bool
split_is_routine(const char *name, const char *routine, unsigned k)
{
	const size_t	n = strlen(routine);

	return strncmp(name, routine, n) == 0 &&
	    strncmp(name + n, SPLIT_MARK, strlen(SPLIT_MARK)) == 0 && split_version(name) == k &&
	    strchr(name + n, '.') == NULL;
}

/* ---- relocations ---- */

uint32_t
split_relocation_bytes(const Elf64_Shdr *s)
{
	return s->sh_type == SHT_RELA ? sizeof (Elf64_Rela) : sizeof (Elf64_Rel);
}

bool
split_has_relocations(const Elf64_Shdr *s)
{
	return s->sh_type == SHT_RELA || s->sh_type == SHT_REL;
}

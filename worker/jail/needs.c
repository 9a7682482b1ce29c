/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/jail/needs.h"

/* An object in memory; nothing is read of it that has_bytes did not find inside. */
struct object {
	const char	*at;
	size_t		 bytes;
	Elf64_Ehdr	 h;
};

static bool
has_bytes(const struct object *o, uint64_t at, uint64_t bytes)
{
	return at <= o->bytes && bytes <= o->bytes - at;
}

/* Section i, if the object has all of it. */
static bool
section(const struct object *o, uint32_t i, Elf64_Shdr *s)
{
	const uint64_t	at = (uint64_t)i * sizeof *s;

	if (i >= o->h.e_shnum || o->h.e_shoff > o->bytes ||
	    !has_bytes(o, o->h.e_shoff + at, sizeof *s))
		return false;
	memcpy(s, o->at + o->h.e_shoff + at, sizeof *s);
	return s->sh_type == SHT_NOBITS || has_bytes(o, s->sh_offset, s->sh_size);
}

/* Has this table of names the name there? */
static bool
is_named(const struct object *o, const Elf64_Shdr *names, uint32_t at, const char *name)
{
	const size_t	n = strlen(name) + 1;

	return names->sh_type == SHT_STRTAB && at <= names->sh_size && n <= names->sh_size - at &&
	    memcmp(o->at + names->sh_offset + at, name, n) == 0;
}

static bool
symbol_needs(const struct object *o, const Elf64_Shdr *names, const Elf64_Sym *s)
{
	return s->st_shndx == SHN_UNDEF && ELF64_ST_BIND(s->st_info) != STB_LOCAL &&
	    !is_named(o, names, s->st_name, "_GLOBAL_OFFSET_TABLE_");
}

static bool
table_needs(const struct object *o, const Elf64_Shdr *table)
{
	const uint64_t	n = table->sh_size / sizeof (Elf64_Sym);
	Elf64_Shdr	names;
	Elf64_Sym	s;

	if (!section(o, table->sh_link, &names))
		return true;
	for (uint64_t i = 0; i < n; i++) {
		memcpy(&s, o->at + table->sh_offset + i * sizeof s, sizeof s);
		if (symbol_needs(o, &names, &s))
			return true;
	}
	return false;
}

static bool
section_needs(const struct object *o, const Elf64_Shdr *names, const Elf64_Shdr *s)
{
	static const char *const	framed[] = { ".init", ".fini", ".ctors", ".dtors" };

	for (size_t i = 0; i < sizeof framed / sizeof framed[0]; i++)
		if (is_named(o, names, s->sh_name, framed[i]))
			return true;
	return s->sh_type == SHT_SYMTAB && table_needs(o, s);
}

bool
needs_others(const void *object, size_t bytes)
{
	struct object	o = { .at = object, .bytes = bytes };
	Elf64_Shdr	names, s;

	if (bytes < sizeof o.h)
		return true;
	memcpy(&o.h, object, sizeof o.h);
	if (memcmp(o.h.e_ident, ELFMAG, SELFMAG) != 0 || o.h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    o.h.e_shentsize != sizeof s || o.h.e_shnum == 0 || !section(&o, o.h.e_shstrndx, &names))
		return true;
	for (uint32_t i = 0; i < o.h.e_shnum; i++)
		if (!section(&o, i, &s) || section_needs(&o, &names, &s))
			return true;
	return false;
}

bool
needs_others_file(const char *path)
{
	const int	 fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	void		*object = MAP_FAILED;
	struct stat	 sb;
	bool		 needs = true;

	if (fd == -1)
		return true;
	if (fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) && sb.st_size > 0)
		object = mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (object != MAP_FAILED) {
		needs = needs_others(object, (size_t)sb.st_size);
		(void)munmap(object, (size_t)sb.st_size);
	}
	(void)close(fd);
	return needs;
}

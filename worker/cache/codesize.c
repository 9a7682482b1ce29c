/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/cache/codesize.h"

enum { SYMBOLS_AT_ONCE = 64, SYMBOLS_MOST = 1 << 16, NAME_BYTES = 1024 };

/* A file that may be anything; what it says is compared with its size. */
struct object {
	int		 fd;
	uint64_t	 bytes;
	Elf64_Ehdr	 h;
};

static bool
object_read(const struct object *o, void *out, size_t bytes, uint64_t at)
{
	return at <= o->bytes && pread(o->fd, out, bytes, (off_t)at) == (ssize_t)bytes;
}

static bool
object_open(struct object *o, const char *path)
{
	struct stat	sb;

	if ((o->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) == -1)
		return false;
	o->bytes = fstat(o->fd, &sb) == 0 ? (uint64_t)sb.st_size : 0;
	if (object_read(o, &o->h, sizeof o->h, 0) &&
	    memcmp(o->h.e_ident, ELFMAG, SELFMAG) == 0 &&
	    o->h.e_ident[EI_CLASS] == ELFCLASS64 && o->h.e_shentsize == sizeof (Elf64_Shdr))
		return true;
	(void)close(o->fd);
	return false;
}

/* Section i, if the file has all of it. */
static bool
section(const struct object *o, unsigned i, Elf64_Shdr *s)
{
	return i < o->h.e_shnum && o->h.e_shoff <= o->bytes &&
	    object_read(o, s, sizeof *s, o->h.e_shoff + (uint64_t)i * sizeof *s) &&
	    s->sh_size <= o->bytes && s->sh_offset <= o->bytes - s->sh_size;
}

uint64_t
codesize_of(const char *path)
{
	uint64_t	bytes = 0;
	struct object	o;
	Elf64_Shdr	s;

	if (!object_open(&o, path))
		return 0;
	for (unsigned i = 0; i < o.h.e_shnum; i++)
		if (section(&o, i, &s) && s.sh_type == SHT_PROGBITS &&
		    (s.sh_flags & SHF_EXECINSTR) != 0)
			bytes += s.sh_size;
	(void)close(o.fd);
	return bytes;
}

/* ---- of one routine ---- */

static bool
is_named(const struct object *o, const Elf64_Shdr *names, uint32_t at, const char *name)
{
	const size_t	bytes = strlen(name) + 1;
	char		found[NAME_BYTES];

	return bytes > 1 && bytes <= sizeof found && names->sh_size >= bytes &&
	    at <= names->sh_size - bytes && object_read(o, found, bytes, names->sh_offset + at) &&
	    memcmp(found, name, bytes) == 0;
}

/* The size of the function if that is its symbol, else 0. */
static uint64_t
size_if_named(const struct object *o, const Elf64_Shdr *names, const Elf64_Sym *s,
    const char *const name[], size_t nnames)
{
	if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF ||
	    s->st_size > o->bytes)
		return 0;
	for (size_t i = 0; i < nnames; i++)
		if (is_named(o, names, s->st_name, name[i]))
			return s->st_size;
	return 0;
}

static uint64_t
size_in_table(const struct object *o, const Elf64_Shdr *table, const char *const name[],
    size_t nnames)
{
	uint64_t	left = table->sh_size / sizeof (Elf64_Sym), bytes = 0, from, n;
	Elf64_Sym	symbol[SYMBOLS_AT_ONCE];
	Elf64_Shdr	names;

	if (!section(o, table->sh_link, &names) || left > SYMBOLS_MOST)
		return 0;
	for (from = table->sh_offset; left > 0; left -= n, from += n * sizeof *symbol) {
		n = left < SYMBOLS_AT_ONCE ? left : SYMBOLS_AT_ONCE;
		if (!object_read(o, symbol, n * sizeof *symbol, from))
			return 0;
		for (uint64_t i = 0; i < n && bytes == 0; i++)
			bytes = size_if_named(o, &names, &symbol[i], name, nnames);
		if (bytes != 0)
			return bytes;
	}
	return 0;
}

uint64_t
codesize_of_routine(const char *path, const char *const name[], size_t nnames)
{
	uint64_t	bytes = 0;
	struct object	o;
	Elf64_Shdr	s;

	if (!object_open(&o, path))
		return 0;
	for (unsigned i = 0; i < o.h.e_shnum && bytes == 0; i++)
		if (section(&o, i, &s) && s.sh_type == SHT_DYNSYM)
			bytes = size_in_table(&o, &s, name, nnames);
	(void)close(o.fd);
	return bytes != 0 ? bytes : codesize_of(path);
}

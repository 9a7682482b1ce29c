/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A version's object is the unit's with three changes.  Sections of the other versions get a flag
 * by which linkers exclude them, and with them their unwind tables.  The version's name is cut
 * behind the routine's.  Symbols of the others, and undefined ones that only they refer to, are
 * hidden.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/build/split.h"

enum {
	SECTIONS_MOST = 1024, SYMBOLS_MOST = 4096, OBJECT_MOST = 16 << 20,
	NAME_BYTES = 256, NONE = 16,
	FIELD_BYTES = 4, WIDE_FIELD_BYTES = 8,
};

struct object {
	unsigned char		*at;		/* borrowed */
	size_t			 bytes;
	size_t			 nsections, nsymbols;
	uint64_t		 sections;	/* offset of their headers */
	Elf64_Shdr		 names, table, symbol_names;
	size_t			 table_index;
};

static bool
has_bytes(const struct object *o, uint64_t at, uint64_t bytes)
{
	return at <= o->bytes && bytes <= o->bytes - at;
}

/* Section i, if the object has all of it. */
static bool
section(const struct object *o, size_t i, Elf64_Shdr *s)
{
	if (i >= o->nsections)
		return false;
	memcpy(s, o->at + o->sections + i * sizeof *s, sizeof *s);
	return s->sh_type == SHT_NOBITS || has_bytes(o, s->sh_offset, s->sh_size);
}

static void
set_section(const struct object *o, size_t i, const Elf64_Shdr *s)
{
	memcpy(o->at + o->sections + i * sizeof *s, s, sizeof *s);
}

/* Of a table of names; "" for one that has no end in there. */
static const char *
name_at(const struct object *o, const Elf64_Shdr *names, uint32_t at)
{
	const char	*name = (const char *)o->at + names->sh_offset;

	if (names->sh_type != SHT_STRTAB || at >= names->sh_size ||
	    memchr(name + at, '\0', names->sh_size - at) == NULL)
		return "";
	return name + at;
}

static Elf64_Sym
symbol(const struct object *o, size_t i)
{
	Elf64_Sym	s;

	memcpy(&s, o->at + o->table.sh_offset + i * sizeof s, sizeof s);
	return s;
}

static void
set_symbol(const struct object *o, size_t i, const Elf64_Sym *s)
{
	memcpy(o->at + o->table.sh_offset + i * sizeof *s, s, sizeof *s);
}

static bool
find_symbols(struct object *o, unsigned type)
{
	for (o->table_index = 0; o->table_index < o->nsections; o->table_index++)
		if (section(o, o->table_index, &o->table) && o->table.sh_type == type)
			break;
	if (o->table_index == o->nsections || !section(o, o->table.sh_link, &o->symbol_names))
		return false;
	o->nsymbols = o->table.sh_size / sizeof (Elf64_Sym);
	return o->nsymbols > 0 && o->nsymbols <= SYMBOLS_MOST;
}

static bool
object_open(struct object *o, const void *at, size_t bytes, unsigned symbols)
{
	Elf64_Ehdr	h;

	*o = (struct object){ .at = (unsigned char *)(uintptr_t)at, .bytes = bytes };
	if (bytes < sizeof h)
		return false;
	memcpy(&h, at, sizeof h);
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_shentsize != sizeof (Elf64_Shdr) || h.e_shnum > SECTIONS_MOST ||
	    !has_bytes(o, h.e_shoff, (uint64_t)h.e_shnum * sizeof (Elf64_Shdr)))
		return false;
	o->nsections = h.e_shnum;
	o->sections = h.e_shoff;
	return section(o, h.e_shstrndx, &o->names) && find_symbols(o, symbols);
}

/* ---- versions ---- */

/* Of "f__3" it is 3; NONE: it is no version of the routine. */
static unsigned
version_of(const char *name, const char *routine)
{
	const size_t	n = strlen(routine);
	char		again[SPLIT_SUFFIX_BYTES];
	unsigned	k;

	if (strncmp(name, routine, n) != 0 || strncmp(name + n, "__", 2) != 0 ||
	    strlen(name + n) > 4)
		return NONE;
	k = (unsigned)strtoul(name + n + 2, NULL, 10);
	(void)snprintf(again, sizeof again, "__%u", k % NONE);
	return strcmp(name + n, again) == 0 ? k : NONE;
}

/* Whose section it is, by its name: ".text.f__3"; NONE: of all. */
static unsigned
owner_of(const struct object *o, const Elf64_Shdr *s, const char *routine)
{
	const char	*name = name_at(o, &o->names, s->sh_name);
	const size_t	 n = strlen(routine);

	for (const char *at = strchr(name, '.'); at != NULL; at = strchr(at + 1, '.'))
		if (strncmp(at + 1, routine, n) == 0 && version_of(at + 1, routine) != NONE)
			return version_of(at + 1, routine);
	return NONE;
}

/* ---- what else is there ---- */

static bool
is_of_routine(const struct object *o, const Elf64_Sym *s, const char *routine, unsigned n,
    unsigned *k)
{
	Elf64_Shdr	in;

	*k = version_of(name_at(o, &o->symbol_names, s->st_name), routine);
	return *k < n && ELF64_ST_BIND(s->st_info) == STB_GLOBAL &&
	    ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_other == STV_DEFAULT &&
	    s->st_value == 0 && s->st_shndx < SHN_LORESERVE && section(o, s->st_shndx, &in) &&
	    (in.sh_flags & SHF_EXECINSTR) != 0 && in.sh_size == s->st_size &&
	    owner_of(o, &in, routine) == *k;
}

/* The cold part of a version, "f__3.cold", which is another section of it. */
static bool
is_part(const struct object *o, const Elf64_Sym *s, const char *routine)
{
	const char	*name = name_at(o, &o->symbol_names, s->st_name);
	const size_t	 n = strcspn(name, ".");
	char		 whole[NAME_BYTES];
	Elf64_Shdr	 in;

	if (ELF64_ST_BIND(s->st_info) != STB_LOCAL || n >= sizeof whole || name[n] == '\0' ||
	    s->st_shndx >= SHN_LORESERVE || !section(o, s->st_shndx, &in))
		return false;
	memcpy(whole, name, n);
	whole[n] = '\0';
	return version_of(whole, routine) != NONE &&
	    owner_of(o, &in, routine) == version_of(whole, routine);
}

/* An assembler keeps a compiler's label of a constant where equal constants become one. */
static bool
is_harmless(const struct object *o, size_t i, const Elf64_Sym *s)
{
	const unsigned	type = ELF64_ST_TYPE(s->st_info);

	return i == 0 || type == STT_FILE || type == STT_SECTION || s->st_shndx == SHN_UNDEF ||
	    (type == STT_NOTYPE && ELF64_ST_BIND(s->st_info) == STB_LOCAL &&
	    strncmp(name_at(o, &o->symbol_names, s->st_name), ".L", 2) == 0);
}

/* Another name that shares its bytes with this one would be cut with it. */
static bool
shares_name(const struct object *o, size_t i, const Elf64_Sym *s)
{
	const char	*name = name_at(o, &o->symbol_names, s->st_name);

	for (size_t j = 1; j < o->nsymbols; j++) {
		const Elf64_Sym	 other = symbol(o, j);
		const char	*at = name_at(o, &o->symbol_names, other.st_name);

		if (j != i && *at != '\0' && at <= name + strlen(name) && name <= at + strlen(at))
			return true;
	}
	return false;
}

static enum status
check_symbols(const struct object *o, const char *routine, unsigned n, struct fault *why)
{
	unsigned	k, seen = 0;

	for (size_t i = 0; i < o->nsymbols; i++) {
		const Elf64_Sym	s = symbol(o, i);

		if (is_of_routine(o, &s, routine, n, &k) && (seen & 1u << k) == 0 &&
		    !shares_name(o, i, &s))
			seen |= 1u << k;
		else if (!is_harmless(o, i, &s) && !is_part(o, &s, routine))
			return fault_set(why, ST_BAD_SPEC, "it defines %.80s",
			    name_at(o, &o->symbol_names, s.st_name));
	}
	return seen == (1u << n) - 1 ? ST_OK :
	    fault_set(why, ST_BAD_SPEC, "a version of the routine is missing");
}

/* Code of the versions, constants, unwind tables, and what is not loaded. */
static bool
is_section_known(const struct object *o, const Elf64_Shdr *s, const char *routine)
{
	const char	*name = name_at(o, &o->names, s->sh_name);

	if ((s->sh_flags & SHF_ALLOC) == 0 || s->sh_size == 0)
		return true;
	if ((s->sh_flags & SHF_EXECINSTR) != 0)
		return owner_of(o, s, routine) != NONE && strncmp(name, ".text.", 6) == 0;
	return (s->sh_flags & SHF_WRITE) == 0 && (strncmp(name, ".rodata", 7) == 0 ||
	    strcmp(name, ".eh_frame") == 0 || s->sh_type == SHT_NOTE);
}

static enum status
check_sections(const struct object *o, const char *routine, struct fault *why)
{
	Elf64_Shdr	s;

	for (size_t i = 1; i < o->nsections; i++)
		if (!section(o, i, &s) || s.sh_type == SHT_SYMTAB_SHNDX ||
		    !is_section_known(o, &s, routine))
			return fault_set(why, ST_BAD_SPEC, "it has a section %.80s",
			    name_at(o, &o->names, s.sh_name));
	return ST_OK;
}

enum status
split_check(const void *object, size_t bytes, const char *routine, unsigned n, struct fault *why)
{
	struct object	o;
	enum status	st;

	if (n > SPLIT_MOST || !object_open(&o, object, bytes, SHT_SYMTAB))
		return fault_set(why, ST_BAD_SPEC, "it is no object file");
	if ((st = check_sections(&o, routine, why)) != ST_OK)
		return st;
	return check_symbols(&o, routine, n, why);
}

/* ---- one version's object ---- */

static bool
is_others(const struct object *o, const Elf64_Shdr *s, const char *routine, unsigned k)
{
	const unsigned	owner = owner_of(o, s, routine);

	return owner != NONE && owner != k;
}

static uint32_t
relocation_bytes(const Elf64_Shdr *s)
{
	return s->sh_type == SHT_RELA ? sizeof (Elf64_Rela) : sizeof (Elf64_Rel);
}

static bool
has_relocations(const Elf64_Shdr *s)
{
	return s->sh_type == SHT_RELA || s->sh_type == SHT_REL;
}

/* What the version's sections refer to. */
static void
note_needed(const struct object *o, const char *routine, unsigned k, bool needed[SYMBOLS_MOST])
{
	Elf64_Shdr	s, of;
	Elf64_Rel	r;

	for (size_t i = 1; i < o->nsections; i++) {
		if (!section(o, i, &s) || !has_relocations(&s) || !section(o, s.sh_info, &of) ||
		    is_others(o, &of, routine, k))
			continue;
		for (uint64_t at = 0; s.sh_size - at >= relocation_bytes(&s);
		    at += relocation_bytes(&s)) {
			memcpy(&r, o->at + s.sh_offset + at, sizeof r);
			if (ELF64_R_SYM(r.r_info) < o->nsymbols)
				needed[ELF64_R_SYM(r.r_info)] = true;
		}
	}
}

/*
 * Tables of jumps may be in one section for all versions.  Of the others' tables nothing is left,
 * but their place.
 */
static void
drop_jumps(const struct object *o, const Elf64_Shdr *s, const char *routine, unsigned k)
{
	static const Elf64_Rel	nothing;
	Elf64_Shdr		of;
	Elf64_Rel		r;

	for (uint64_t at = 0; s->sh_size - at >= relocation_bytes(s); at += relocation_bytes(s)) {
		memcpy(&r, o->at + s->sh_offset + at, sizeof r);
		if (ELF64_R_SYM(r.r_info) < o->nsymbols &&
		    section(o, symbol(o, ELF64_R_SYM(r.r_info)).st_shndx, &of) &&
		    is_others(o, &of, routine, k))
			memcpy(o->at + s->sh_offset + at + offsetof(Elf64_Rel, r_info),
			    &nothing.r_info, sizeof nothing.r_info);
	}
}

static void
drop_others_jumps(const struct object *o, const char *routine, unsigned k)
{
	Elf64_Shdr	s, of;

	for (size_t i = 1; i < o->nsections; i++)
		if (section(o, i, &s) && has_relocations(&s) && section(o, s.sh_info, &of) &&
		    strncmp(name_at(o, &o->names, of.sh_name), ".rodata", 7) == 0)
			drop_jumps(o, &s, routine, k);
}

static void
exclude_others(const struct object *o, const char *routine, unsigned k)
{
	Elf64_Shdr	s;

	for (size_t i = 1; i < o->nsections; i++)
		if (section(o, i, &s) && (s.sh_flags & SHF_ALLOC) != 0 &&
		    is_others(o, &s, routine, k)) {
			s.sh_flags |= SHF_EXCLUDE;
			set_section(o, i, &s);
		}
}

static void
hide(const struct object *o, size_t i, const bool *needed)
{
	Elf64_Sym	s = symbol(o, i);

	if (s.st_shndx == SHN_UNDEF && needed[i])
		return;
	if (s.st_shndx == SHN_UNDEF)
		s.st_shndx = SHN_ABS;
	s.st_other = STV_HIDDEN;
	set_symbol(o, i, &s);
}

bool
split_take(void *object, size_t bytes, const char *routine, unsigned k)
{
	bool		needed[SYMBOLS_MOST] = { false };
	struct object	o;
	char		*own = NULL;

	if (!object_open(&o, object, bytes, SHT_SYMTAB))
		return false;
	drop_others_jumps(&o, routine, k);
	note_needed(&o, routine, k, needed);
	exclude_others(&o, routine, k);
	for (size_t i = 1; i < o.nsymbols; i++) {
		const Elf64_Sym	 s = symbol(&o, i);
		const char	*name = name_at(&o, &o.symbol_names, s.st_name);

		if (ELF64_ST_BIND(s.st_info) == STB_LOCAL)
			continue;
		if (version_of(name, routine) == k)
			own = (char *)(uintptr_t)name;
		else
			hide(&o, i, needed);
	}
	if (own != NULL)
		own[strlen(routine)] = '\0';	/* at last: sections may share it */
	return own != NULL;
}

/* ---- the same code? ---- */

/* Owned; NULL: it cannot be read. */
static unsigned char *
read_whole(int fd, size_t *bytes)
{
	struct stat	 sb;
	unsigned char	*at;

	if (fstat(fd, &sb) == -1 || sb.st_size <= 0 || sb.st_size > OBJECT_MOST ||
	    (at = malloc((size_t)sb.st_size)) == NULL)
		return NULL;
	*bytes = (size_t)sb.st_size;
	if (pread(fd, at, *bytes, 0) == (ssize_t)*bytes)
		return at;
	free(at);
	return NULL;
}

/* The routine's code in a shared object. */
static const unsigned char *
code_in(const struct object *o, const char *routine, uint64_t *bytes)
{
	Elf64_Shdr	in;

	for (size_t i = 1; i < o->nsymbols; i++) {
		const Elf64_Sym	s = symbol(o, i);

		if (strcmp(name_at(o, &o->symbol_names, s.st_name), routine) != 0 ||
		    !section(o, s.st_shndx, &in) || in.sh_type == SHT_NOBITS ||
		    s.st_value < in.sh_addr ||
		    s.st_value - in.sh_addr > in.sh_size ||
		    s.st_size > in.sh_size - (s.st_value - in.sh_addr))
			continue;
		*bytes = s.st_size;
		return o->at + in.sh_offset + (s.st_value - in.sh_addr);
	}
	return NULL;
}

static void
leave_out(bool *counts, uint64_t n, const Elf64_Rel *r)
{
	const uint32_t	type = ELF64_R_TYPE(r->r_info);
	const bool	is_wide = type == R_X86_64_64 || type == R_X86_64_PC64 ||
			    type == R_AARCH64_ABS64;

	for (uint64_t i = 0; i < (is_wide ? WIDE_FIELD_BYTES : FIELD_BYTES); i++)
		if (r->r_offset < n && r->r_offset + i < n)
			counts[r->r_offset + i] = false;
}

/* Of n bytes of code, those that no linker fills in. */
static void
note_fields(const struct object *o, const char *routine, unsigned k, bool *counts, uint64_t n)
{
	Elf64_Shdr	s, of;
	Elf64_Rel	r;

	memset(counts, true, n);
	for (size_t i = 1; i < o->nsections; i++) {
		if (!section(o, i, &s) || !has_relocations(&s) || !section(o, s.sh_info, &of) ||
		    (of.sh_flags & SHF_EXECINSTR) == 0 || owner_of(o, &of, routine) != k)
			continue;
		for (uint64_t at = 0; s.sh_size - at >= relocation_bytes(&s);
		    at += relocation_bytes(&s)) {
			memcpy(&r, o->at + s.sh_offset + at, sizeof r);
			leave_out(counts, n, &r);
		}
	}
}

static bool
is_same_code(const struct object *unit, const char *routine, unsigned k, const struct object *a,
    const struct object *b)
{
	uint64_t		 n = 0, m = 0;
	const unsigned char	*x = code_in(a, routine, &n), *y = code_in(b, routine, &m);
	bool			*counts = NULL, same = true;

	if (x == NULL || y == NULL || n != m || n == 0 || (counts = malloc(n)) == NULL)
		return false;
	note_fields(unit, routine, k, counts, n);
	for (uint64_t i = 0; i < n && same; i++)
		same = !counts[i] || x[i] == y[i];
	free(counts);
	return same;
}

bool
split_is_same(const void *unit, size_t unit_bytes, const char *routine, unsigned k, int first_fd,
    int second_fd)
{
	size_t		 n = 0, m = 0;
	unsigned char	*first = read_whole(first_fd, &n), *second = read_whole(second_fd, &m);
	struct object	 u, a, b;
	const bool	 same = first != NULL && second != NULL &&
			    object_open(&u, unit, unit_bytes, SHT_SYMTAB) &&
			    object_open(&a, first, n, SHT_DYNSYM) &&
			    object_open(&b, second, m, SHT_DYNSYM) &&
			    is_same_code(&u, routine, k, &a, &b);

	free(first);
	free(second);
	return same;
}

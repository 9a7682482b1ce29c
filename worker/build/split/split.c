/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A version's object is the unit's with three changes.  Sections of the other versions get a flag
 * by which linkers exclude them, and with them their unwind tables.  The version's name is cut
 * behind the routine's.  Symbols of the others, and undefined ones that only they refer to, are
 * hidden.
 */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "worker/build/split/split.h"
#include "worker/build/split/split_object.h"

enum { NAME_BYTES = 256 };

static void
set_section(const struct split_object *o, size_t i, const Elf64_Shdr *s)
{
	memcpy(o->at + o->sections + i * sizeof *s, s, sizeof *s);
}

static void
set_symbol(const struct split_object *o, size_t i, const Elf64_Sym *s)
{
	memcpy(o->at + o->table.sh_offset + i * sizeof *s, s, sizeof *s);
}

/* ---- what else is there ---- */

static bool
is_of_routine(const struct split_object *o, const Elf64_Sym *s, const char *routine, unsigned n,
    unsigned *k)
{
	Elf64_Shdr	in;

	*k = split_version(split_name(o, &o->symbol_names, s->st_name), routine);
	return *k < n && ELF64_ST_BIND(s->st_info) == STB_GLOBAL &&
	    ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_other == STV_DEFAULT &&
	    s->st_value == 0 && s->st_shndx < SHN_LORESERVE && split_section(o, s->st_shndx, &in) &&
	    (in.sh_flags & SHF_EXECINSTR) != 0 && in.sh_size == s->st_size &&
	    split_owner(o, &in, routine) == *k;
}

/* The cold part of a version, "f__3.cold", which is another section of it. */
static bool
is_part(const struct split_object *o, const Elf64_Sym *s, const char *routine)
{
	const char	*name = split_name(o, &o->symbol_names, s->st_name);
	const size_t	 n = strcspn(name, ".");
	char		 whole[NAME_BYTES];
	Elf64_Shdr	 in;

	if (ELF64_ST_BIND(s->st_info) != STB_LOCAL || n >= sizeof whole || name[n] == '\0' ||
	    s->st_shndx >= SHN_LORESERVE || !split_section(o, s->st_shndx, &in))
		return false;
	memcpy(whole, name, n);
	whole[n] = '\0';
	return split_version(whole, routine) != SPLIT_NONE &&
	    split_owner(o, &in, routine) == split_version(whole, routine);
}

/* An assembler keeps a compiler's label of a constant where equal constants become one. */
static bool
is_harmless(const struct split_object *o, size_t i, const Elf64_Sym *s)
{
	const unsigned	type = ELF64_ST_TYPE(s->st_info);

	return i == 0 || type == STT_FILE || type == STT_SECTION || s->st_shndx == SHN_UNDEF ||
	    (type == STT_NOTYPE && ELF64_ST_BIND(s->st_info) == STB_LOCAL &&
	    strncmp(split_name(o, &o->symbol_names, s->st_name), ".L", 2) == 0);
}

/* Another name that shares its bytes with this one would be cut with it. */
static bool
shares_name(const struct split_object *o, size_t i, const Elf64_Sym *s)
{
	const char	*name = split_name(o, &o->symbol_names, s->st_name);

	for (size_t j = 1; j < o->nsymbols; j++) {
		const Elf64_Sym	 other = split_symbol(o, j);
		const char	*at = split_name(o, &o->symbol_names, other.st_name);

		if (j != i && *at != '\0' && at <= name + strlen(name) && name <= at + strlen(at))
			return true;
	}
	return false;
}

static enum status
check_symbols(const struct split_object *o, const char *routine, unsigned n, struct fault *why)
{
	unsigned	k, seen = 0;

	for (size_t i = 0; i < o->nsymbols; i++) {
		const Elf64_Sym	s = split_symbol(o, i);

		if (is_of_routine(o, &s, routine, n, &k) && (seen & 1u << k) == 0 &&
		    !shares_name(o, i, &s))
			seen |= 1u << k;
		else if (!is_harmless(o, i, &s) && !is_part(o, &s, routine))
			return fault_set(why, ST_BAD_SPEC, "it defines %.80s",
			    split_name(o, &o->symbol_names, s.st_name));
	}
	return seen == (1u << n) - 1 ? ST_OK :
	    fault_set(why, ST_BAD_SPEC, "a version of the routine is missing");
}

/* Code of the versions, constants, unwind tables, and what is not loaded. */
static bool
is_section_known(const struct split_object *o, const Elf64_Shdr *s, const char *routine)
{
	const char	*name = split_name(o, &o->names, s->sh_name);

	if ((s->sh_flags & SHF_ALLOC) == 0 || s->sh_size == 0)
		return true;
	if ((s->sh_flags & SHF_EXECINSTR) != 0)
		return split_owner(o, s, routine) != SPLIT_NONE && strncmp(name, ".text.", 6) == 0;
	return (s->sh_flags & SHF_WRITE) == 0 && (strncmp(name, ".rodata", 7) == 0 ||
	    strcmp(name, ".eh_frame") == 0 || s->sh_type == SHT_NOTE);
}

static enum status
check_sections(const struct split_object *o, const char *routine, struct fault *why)
{
	Elf64_Shdr	s;

	for (size_t i = 1; i < o->nsections; i++)
		if (!split_section(o, i, &s) || s.sh_type == SHT_SYMTAB_SHNDX ||
		    !is_section_known(o, &s, routine))
			return fault_set(why, ST_BAD_SPEC, "it has a section %.80s",
			    split_name(o, &o->names, s.sh_name));
	return ST_OK;
}

enum status
split_check(const void *object, size_t bytes, const char *routine, unsigned n, struct fault *why)
{
	struct split_object	o;
	enum status	st;

	if (n > SPLIT_MOST || !split_open(&o, object, bytes, SHT_SYMTAB))
		return fault_set(why, ST_BAD_SPEC, "it is no object file");
	if ((st = check_sections(&o, routine, why)) != ST_OK)
		return st;
	return check_symbols(&o, routine, n, why);
}

/* ---- one version's object ---- */

static bool
is_others(const struct split_object *o, const Elf64_Shdr *s, const char *routine, unsigned k)
{
	const unsigned	owner = split_owner(o, s, routine);

	return owner != SPLIT_NONE && owner != k;
}

/* What the version's sections refer to. */
static void
note_needed(const struct split_object *o, const char *routine, unsigned k,
    bool needed[SPLIT_SYMBOLS_MOST])
{
	Elf64_Shdr	s, of;
	Elf64_Rel	r;

	for (size_t i = 1; i < o->nsections; i++) {
		if (!split_section(o, i, &s) || !split_has_relocations(&s) ||
		    !split_section(o, s.sh_info, &of) ||
		    is_others(o, &of, routine, k))
			continue;
		for (uint64_t at = 0; s.sh_size - at >= split_relocation_bytes(&s);
		    at += split_relocation_bytes(&s)) {
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
drop_jumps(const struct split_object *o, const Elf64_Shdr *s, const char *routine, unsigned k)
{
	static const Elf64_Rel	nothing;
	Elf64_Shdr		of;
	Elf64_Rel		r;

	for (uint64_t at = 0; s->sh_size - at >= split_relocation_bytes(s);
	    at += split_relocation_bytes(s)) {
		memcpy(&r, o->at + s->sh_offset + at, sizeof r);
		if (ELF64_R_SYM(r.r_info) < o->nsymbols &&
		    split_section(o, split_symbol(o, ELF64_R_SYM(r.r_info)).st_shndx, &of) &&
		    is_others(o, &of, routine, k))
			memcpy(o->at + s->sh_offset + at + offsetof(Elf64_Rel, r_info),
			    &nothing.r_info, sizeof nothing.r_info);
	}
}

static void
drop_others_jumps(const struct split_object *o, const char *routine, unsigned k)
{
	Elf64_Shdr	s, of;

	for (size_t i = 1; i < o->nsections; i++)
		if (split_section(o, i, &s) && split_has_relocations(&s) &&
		    split_section(o, s.sh_info, &of) &&
		    strncmp(split_name(o, &o->names, of.sh_name), ".rodata", 7) == 0)
			drop_jumps(o, &s, routine, k);
}

static void
exclude_others(const struct split_object *o, const char *routine, unsigned k)
{
	Elf64_Shdr	s;

	for (size_t i = 1; i < o->nsections; i++)
		if (split_section(o, i, &s) && (s.sh_flags & SHF_ALLOC) != 0 &&
		    is_others(o, &s, routine, k)) {
			s.sh_flags |= SHF_EXCLUDE;
			set_section(o, i, &s);
		}
}

static void
hide(const struct split_object *o, size_t i, const bool *needed)
{
	Elf64_Sym	s = split_symbol(o, i);

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
	bool		needed[SPLIT_SYMBOLS_MOST] = { false };
	struct split_object	o;
	char		*own = NULL;

	if (!split_open(&o, object, bytes, SHT_SYMTAB))
		return false;
	drop_others_jumps(&o, routine, k);
	note_needed(&o, routine, k, needed);
	exclude_others(&o, routine, k);
	for (size_t i = 1; i < o.nsymbols; i++) {
		const Elf64_Sym	 s = split_symbol(&o, i);
		const char	*name = split_name(&o, &o.symbol_names, s.st_name);

		if (ELF64_ST_BIND(s.st_info) == STB_LOCAL)
			continue;
		if (split_version(name, routine) == k)
			own = (char *)(uintptr_t)name;
		else
			hide(&o, i, needed);
	}
	if (own != NULL)
		own[strlen(routine)] = '\0';	/* at last: sections may share it */
	return own != NULL;
}

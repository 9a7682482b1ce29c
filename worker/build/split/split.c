/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A version's object is the unit's with three changes.  Sections of the other versions get a flag
 * by which linkers exclude them, and with them their unwind tables.  The version's own names end
 * before their mark; names that share their bytes end as they do, so they are its own, too.
 * Symbols of the others, and undefined ones that only they refer to, are hidden.
 */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "worker/build/split/split.h"
#include "worker/build/split/split_object.h"

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

static bool
is_others(const struct split_object *o, const Elf64_Shdr *s, unsigned k)
{
	const unsigned	owner = split_owner(o, s);

	return owner != SPLIT_NONE && owner != k;
}

/* What the version's sections refer to. */
static void
note_needed(const struct split_object *o, unsigned k, bool needed[SPLIT_SYMBOLS_MOST])
{
	Elf64_Shdr	s, of;
	Elf64_Rel	r;

	for (size_t i = 1; i < o->nsections; i++) {
		if (!split_section(o, i, &s) || !split_has_relocations(&s) ||
		    !split_section(o, s.sh_info, &of) ||
		    is_others(o, &of, k))
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
drop_jumps(const struct split_object *o, const Elf64_Shdr *s, unsigned k)
{
	static const Elf64_Rel	nothing;
	Elf64_Shdr		of;
	Elf64_Rel		r;

	for (uint64_t at = 0; s->sh_size - at >= split_relocation_bytes(s);
	    at += split_relocation_bytes(s)) {
		memcpy(&r, o->at + s->sh_offset + at, sizeof r);
		if (ELF64_R_SYM(r.r_info) < o->nsymbols &&
		    split_section(o, split_symbol(o, ELF64_R_SYM(r.r_info)).st_shndx, &of) &&
		    is_others(o, &of, k))
			memcpy(o->at + s->sh_offset + at + offsetof(Elf64_Rel, r_info),
			    &nothing.r_info, sizeof nothing.r_info);
	}
}

static void
drop_others_jumps(const struct split_object *o, unsigned k)
{
	Elf64_Shdr	s, of;

	for (size_t i = 1; i < o->nsections; i++)
		if (split_section(o, i, &s) && split_has_relocations(&s) &&
		    split_section(o, s.sh_info, &of) &&
		    strncmp(split_name(o, &o->names, of.sh_name), ".rodata", 7) == 0)
			drop_jumps(o, &s, k);
}

static void
exclude_others(const struct split_object *o, unsigned k)
{
	Elf64_Shdr	s;

	for (size_t i = 1; i < o->nsections; i++)
		if (split_section(o, i, &s) && (s.sh_flags & SHF_ALLOC) != 0 &&
		    is_others(o, &s, k)) {
			s.sh_flags |= SHF_EXCLUDE;
			set_section(o, i, &s);
		}
}

/* A linker's own names are needed by kinds of references, not by references. */
static bool
is_needed(const struct split_object *o, size_t i, const bool *needed)
{
	return needed[i] || strcmp(split_name(o, &o->symbol_names, split_symbol(o, i).st_name),
	    "_GLOBAL_OFFSET_TABLE_") == 0;
}

static void
hide(const struct split_object *o, size_t i, const bool *needed)
{
	Elf64_Sym	s = split_symbol(o, i);

	if (s.st_shndx == SHN_UNDEF && is_needed(o, i, needed))
		return;
	if (s.st_shndx == SHN_UNDEF)
		s.st_shndx = SHN_ABS;
	s.st_other = STV_HIDDEN;
	set_symbol(o, i, &s);
}

static bool
has_routine(const struct split_object *o, const char *routine, unsigned k)
{
	for (size_t i = 1; i < o->nsymbols; i++)
		if (split_is_routine(split_name(o, &o->symbol_names, split_symbol(o, i).st_name),
		    routine, k))
			return true;
	return false;
}

/* The names of version k, as a lone build has them; those of a function's parts keep their mark. */
static void
cut_names(const struct split_object *o, unsigned k)
{
	for (size_t i = 1; i < o->nsymbols; i++) {
		char	*name = (char *)(uintptr_t)split_name(o, &o->symbol_names,
			    split_symbol(o, i).st_name);
		char	*mark = strstr(name, SPLIT_MARK);

		if (split_version(name) == k && strchr(mark, '.') == NULL)
			*mark = '\0';
	}
}

bool
split_take(void *object, size_t bytes, const char *routine, unsigned k)
{
	bool			needed[SPLIT_SYMBOLS_MOST] = { false };
	struct split_object	o;

	if (!split_open(&o, object, bytes, SHT_SYMTAB) || !has_routine(&o, routine, k))
		return false;
	drop_others_jumps(&o, k);
	note_needed(&o, k, needed);
	exclude_others(&o, k);
	for (size_t i = 1; i < o.nsymbols; i++) {
		const Elf64_Sym	s = split_symbol(&o, i);

		if (ELF64_ST_BIND(s.st_info) != STB_LOCAL &&
		    split_version(split_name(&o, &o.symbol_names, s.st_name)) != k)
			hide(&o, i, needed);
	}
	cut_names(&o, k);		/* at last: sections may share them */
	return true;
}

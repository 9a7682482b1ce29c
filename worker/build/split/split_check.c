/* SPDX-License-Identifier: Apache-2.0 */
/* What a unit's object has to be, so that versions can be taken from it. */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "worker/build/split/split.h"
#include "worker/build/split/split_object.h"

enum { SPLIT_CONSTANTS_MOST = 5 };

/* ---- symbols and sections ---- */

static bool
is_of_routine(const struct split_object *o, const Elf64_Sym *s, const char *routine, unsigned k)
{
	Elf64_Shdr	in;

	return split_is_routine(split_name(o, &o->symbol_names, s->st_name), routine, k) &&
	    ELF64_ST_BIND(s->st_info) == STB_GLOBAL && ELF64_ST_TYPE(s->st_info) == STT_FUNC &&
	    s->st_other == STV_DEFAULT && s->st_value == 0 && split_section(o, s->st_shndx, &in) &&
	    (in.sh_flags & SHF_EXECINSTR) != 0 && in.sh_size == s->st_size;
}

/*
 * What a version defines is where its section says; and what it needs is not its own.  An assembler
 * keeps a compiler's label of a constant where equal constants become one.
 */
static bool
is_in_place(const struct split_object *o, const Elf64_Sym *s)
{
	const char	*name = split_name(o, &o->symbol_names, s->st_name);
	const unsigned	 type = ELF64_ST_TYPE(s->st_info), k = split_version(name);

	if (type == STT_FILE || type == STT_SECTION)
		return true;
	if (s->st_shndx == SHN_UNDEF)
		return k == SPLIT_NONE;
	if (type == STT_NOTYPE && ELF64_ST_BIND(s->st_info) == STB_LOCAL &&
	    strncmp(name, ".L", 2) == 0)
		return true;
	return (type == STT_FUNC || type == STT_OBJECT) && k != SPLIT_NONE &&
	    split_home(o, s) == k;
}

static enum status
check_symbols(const struct split_object *o, const char *routine, unsigned n, struct fault *why)
{
	unsigned	k, seen = 0;

	for (size_t i = 1; i < o->nsymbols; i++) {
		const Elf64_Sym	 s = split_symbol(o, i);
		const char	*name = split_name(o, &o->symbol_names, s.st_name);

		if (!is_in_place(o, &s))
			return fault_set(why, ST_BAD_SPEC, "it defines %.80s", name);
		if ((k = split_home(o, &s)) < n && is_of_routine(o, &s, routine, k))
			seen |= 1u << k;
	}
	return seen == (1u << n) - 1 ? ST_OK :
	    fault_set(why, ST_BAD_SPEC, "a version of the routine is missing");
}

/* What a version owns; for all of them constants, unwind tables, and what is not loaded. */
static bool
is_section_known(const struct split_object *o, const Elf64_Shdr *s)
{
	static const char *const	owned[] = { ".rodata.", ".data.", ".bss.", NULL };
	const char			*name = split_name(o, &o->names, s->sh_name);

	if ((s->sh_flags & SHF_ALLOC) == 0 || s->sh_size == 0)
		return true;
	if ((s->sh_flags & SHF_EXECINSTR) != 0)
		return split_owner(o, s) != SPLIT_NONE && strncmp(name, ".text.", 6) == 0;
	for (const char *const *start = owned; *start != NULL; start++)
		if (split_owner(o, s) != SPLIT_NONE && strncmp(name, *start, strlen(*start)) == 0)
			return true;
	return (s->sh_flags & SHF_WRITE) == 0 && (strncmp(name, ".rodata", 7) == 0 ||
	    strcmp(name, ".eh_frame") == 0 || s->sh_type == SHT_NOTE);
}

static enum status
check_sections(const struct split_object *o, struct fault *why)
{
	Elf64_Shdr	s;

	for (size_t i = 1; i < o->nsections; i++)
		if (!split_section(o, i, &s) || s.sh_type == SHT_SYMTAB_SHNDX ||
		    !is_section_known(o, &s))
			return fault_set(why, ST_BAD_SPEC, "it has a section %.80s",
			    split_name(o, &o->names, s.sh_name));
	return ST_OK;
}

/* ---- references ---- */

/* Of all relocations, the next one that belongs to a version's section. */
struct walk {
	const struct split_object	*o;		/* borrowed */
	size_t				 table;
	uint64_t			 next;
	Elf64_Shdr			 of;		/* the section */
	Elf64_Sym			 to;
	int64_t				 addend;
};

/* False: there is none, or it leads nowhere. */
static bool
next_owned(struct walk *w)
{
	Elf64_Shdr	s;
	Elf64_Rela	r = { .r_addend = 0 };

	for (; w->table < w->o->nsections; w->table++, w->next = 0) {
		if (!split_section(w->o, w->table, &s) || !split_has_relocations(&s) ||
		    !split_section(w->o, s.sh_info, &w->of) ||
		    split_owner(w->o, &w->of) == SPLIT_NONE ||
		    s.sh_size - w->next < split_relocation_bytes(&s))
			continue;
		memcpy(&r, w->o->at + s.sh_offset + w->next, split_relocation_bytes(&s));
		w->next += split_relocation_bytes(&s);
		w->addend = r.r_addend;
		if (ELF64_R_SYM(r.r_info) >= w->o->nsymbols)
			return false;
		w->to = split_symbol(w->o, ELF64_R_SYM(r.r_info));
		return true;
	}
	return false;
}

/* A compiler may have made one constant of two versions'. */
static enum status
check_references(const struct split_object *o, struct fault *why)
{
	struct walk	w = { .o = o };

	while (next_owned(&w))
		if (split_home(o, &w.to) != SPLIT_NONE &&
		    split_home(o, &w.to) != split_owner(o, &w.of))
			return fault_set(why, ST_BAD_SPEC, "%.80s refers to %.80s",
			    split_name(o, &o->names, w.of.sh_name),
			    split_name(o, &o->symbol_names, w.to.st_name));
	return w.table == o->nsections ? ST_OK :
	    fault_set(why, ST_BAD_SPEC, "a reference leads nowhere");
}

/* ---- constants ---- */

struct constants {
	bool		are_many;
	unsigned	n;
	uint64_t	at[SPLIT_CONSTANTS_MOST];	/* section, and place in it */
};

static void
add_constant(struct constants *c, uint64_t at)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->at[i] == at)
			return;
	if (c->n == SPLIT_CONSTANTS_MOST)
		c->are_many = true;
	else
		c->at[c->n++] = at;
}

/* Code refers to a constant. */
static bool
is_constant(const struct walk *w)
{
	Elf64_Shdr	s;

	return (w->of.sh_flags & SHF_EXECINSTR) != 0 && w->to.st_shndx < SHN_LORESERVE &&
	    split_section(w->o, w->to.st_shndx, &s) &&
	    (s.sh_flags & (SHF_MERGE | SHF_STRINGS)) == SHF_MERGE;
}

unsigned
split_many_constants(const void *object, size_t bytes)
{
	struct constants	all[SPLIT_MOST] = { { .n = 0 } };
	struct split_object	o;
	struct walk		w = { .o = &o };
	unsigned		many = 0;

	if (!split_open(&o, object, bytes, SHT_SYMTAB))
		return 0;
	while (next_owned(&w))
		if (is_constant(&w))
			add_constant(&all[split_owner(&o, &w.of)], (uint64_t)w.to.st_shndx << 48 |
			    (w.to.st_value + (uint64_t)w.addend) << 16 >> 16);
	for (unsigned k = 0; k < SPLIT_MOST; k++)
		many += all[k].are_many;
	return many;
}

/* ---- twins ---- */

static bool
are_twins(const struct split_object *o, const Elf64_Sym *a, const Elf64_Sym *b)
{
	Elf64_Shdr	x, y;

	return a->st_shndx != b->st_shndx && a->st_size == b->st_size && a->st_size > 0 &&
	    split_home(o, a) == split_home(o, b) &&
	    split_section(o, a->st_shndx, &x) && split_section(o, b->st_shndx, &y) &&
	    x.sh_type != SHT_NOBITS && y.sh_type != SHT_NOBITS && x.sh_size == a->st_size &&
	    y.sh_size == x.sh_size &&
	    memcmp(o->at + x.sh_offset, o->at + y.sh_offset, x.sh_size) == 0;
}

/*
 * Two functions or tables of a version that are equal: in a lone build one could stand for both,
 * which gcc has been told not to do in a unit.
 */
static enum status
check_twins(const struct split_object *o, struct fault *why)
{
	for (size_t i = 1; i < o->nsymbols; i++) {
		const Elf64_Sym	a = split_symbol(o, i);

		if (split_home(o, &a) == SPLIT_NONE || ELF64_ST_TYPE(a.st_info) == STT_SECTION)
			continue;
		for (size_t j = i + 1; j < o->nsymbols; j++) {
			const Elf64_Sym	b = split_symbol(o, j);

			if (ELF64_ST_TYPE(b.st_info) == ELF64_ST_TYPE(a.st_info) &&
			    are_twins(o, &a, &b))
				return fault_set(why, ST_BAD_SPEC, "%.80s is there twice",
				    split_name(o, &o->symbol_names, a.st_name));
		}
	}
	return ST_OK;
}

enum status
split_check(const void *object, size_t bytes, const char *routine, unsigned n, struct fault *why)
{
	struct split_object	o;
	enum status		st;

	if (n > SPLIT_MOST || !split_open(&o, object, bytes, SHT_SYMTAB))
		return fault_set(why, ST_BAD_SPEC, "it is no object file");
	if ((st = check_sections(&o, why)) != ST_OK ||
	    (st = check_symbols(&o, routine, n, why)) != ST_OK ||
	    (st = check_references(&o, why)) != ST_OK)
		return st;
	return check_twins(&o, why);
}

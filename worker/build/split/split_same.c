/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A version of a unit against the same variant's lone build, twice.  The objects before a linker
 * show all that its functions refer to: constants, tables, cold parts, names of libraries.  The
 * shared objects show that split.c and the linker have kept its code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/build/split/split.h"
#include "worker/build/split/split_object.h"

enum { OBJECT_MOST = 16 << 20, FIELD_BYTES = 4, WIDE_FIELD_BYTES = 8 };

/* ---- shared objects ---- */

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
code_in(const struct split_object *o, const char *routine, uint64_t *bytes)
{
	Elf64_Shdr	in;

	for (size_t i = 1; i < o->nsymbols; i++) {
		const Elf64_Sym	s = split_symbol(o, i);

		if (strcmp(split_name(o, &o->symbol_names, s.st_name), routine) != 0 ||
		    !split_section(o, s.st_shndx, &in) || in.sh_type == SHT_NOBITS ||
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

/* The section of version k's routine; 0: there is none. */
static size_t
section_of(const struct split_object *o, const char *routine, unsigned k)
{
	for (size_t i = 1; i < o->nsymbols; i++) {
		const Elf64_Sym	s = split_symbol(o, i);

		if (split_is_routine(split_name(o, &o->symbol_names, s.st_name), routine, k))
			return s.st_shndx;
	}
	return 0;
}

/* Of n bytes of code, those that no linker fills in. */
static void
note_fields(const struct split_object *o, size_t section, bool *counts, uint64_t n)
{
	Elf64_Shdr	s;
	Elf64_Rel	r;

	memset(counts, true, n);
	for (size_t i = 1; i < o->nsections; i++) {
		if (!split_section(o, i, &s) || !split_has_relocations(&s) || s.sh_info != section)
			continue;
		for (uint64_t at = 0; s.sh_size - at >= split_relocation_bytes(&s);
		    at += split_relocation_bytes(&s)) {
			memcpy(&r, o->at + s.sh_offset + at, sizeof r);
			leave_out(counts, n, &r);
		}
	}
}

static bool
is_same_code(const struct split_object *unit, const char *routine, unsigned k,
    const struct split_object *a, const struct split_object *b)
{
	uint64_t		 n = 0, m = 0;
	const unsigned char	*x = code_in(a, routine, &n), *y = code_in(b, routine, &m);
	bool			*counts = NULL, same = true;

	if (x == NULL || y == NULL || n != m || n == 0 || (counts = malloc(n)) == NULL)
		return false;
	note_fields(unit, section_of(unit, routine, k), counts, n);
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
	struct split_object	 u, a, b;
	const bool	 same = first != NULL && second != NULL &&
			    split_open(&u, unit, unit_bytes, SHT_SYMTAB) &&
			    split_open(&a, first, n, SHT_DYNSYM) &&
			    split_open(&b, second, m, SHT_DYNSYM) &&
			    is_same_code(&u, routine, k, &a, &b);

	free(first);
	free(second);
	return same;
}

/* ---- objects, before a linker ---- */

enum {
	PARTS_MOST = 64,
	DEPTH_MOST = 4,			/* of data that refers to data */
	REFERENCES_MOST = 1 << 16,
};

/* A function, or what the compiler has split from it ("f.cold"). */
struct part {
	const char	*name;		/* borrowed; a unit's have a mark */
	size_t		 section;
	uint64_t	 start, bytes;
};

struct side {
	struct split_object	 o;
	size_t			 n;
	struct part		 part[PARTS_MOST];
};

struct sides {
	struct side	unit, lone;
	unsigned	depth;
	unsigned	references;	/* looked at; bounds the work */
};

/* The same place in both. */
struct place {
	size_t		unit_section, lone_section;
	uint64_t	unit_at, lone_at, bytes;
};

/* The functions of version k; SPLIT_NONE: of a lone object. */
static bool
take_parts(struct side *s, unsigned k)
{
	Elf64_Shdr	in;

	for (size_t i = 1; i < s->o.nsymbols; i++) {
		const Elf64_Sym	 sym = split_symbol(&s->o, i);
		const char	*name = split_name(&s->o, &s->o.symbol_names, sym.st_name);

		if (ELF64_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF ||
		    split_version(name) != k)
			continue;
		if (s->n == PARTS_MOST || !split_section(&s->o, sym.st_shndx, &in))
			return false;
		s->part[s->n++] = (struct part){ name, sym.st_shndx, sym.st_value, sym.st_size };
	}
	return s->n > 0;
}

/* A unit's name and a lone object's: "f__assay3.cold", "f.cold". */
static bool
is_same_name(const char *unit, const char *lone)
{
	const char	*mark = strstr(unit, SPLIT_MARK);
	const size_t	 n = mark != NULL ? (size_t)(mark - unit) : strlen(unit);
	const char	*tail = mark != NULL ? mark + strlen(SPLIT_MARK) : unit + n;

	return strncmp(unit, lone, n) == 0 && strcmp(tail + strspn(tail, "0123456789"),
	    lone + n) == 0;
}

static const struct part *
find_part(const struct side *s, const char *unit)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_same_name(unit, s->part[i].name))
			return &s->part[i];
	return NULL;
}

static const struct part *
part_in(const struct side *s, size_t at)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->part[i].section == at)
			return &s->part[i];
	return NULL;
}

/* ---- references ---- */

/* Those of a section, one after the other, in a range. */
struct references {
	const struct split_object	*o;		/* borrowed */
	size_t				 section, table;
	uint64_t			 from, to, next;
};

static bool
next_reference(struct references *r, Elf64_Rela *out)
{
	Elf64_Shdr	s;

	for (; r->table < r->o->nsections; r->table++, r->next = 0) {
		if (!split_section(r->o, r->table, &s) || s.sh_type != SHT_RELA ||
		    s.sh_info != r->section)
			continue;
		while (s.sh_size - r->next >= sizeof *out) {
			memcpy(out, r->o->at + s.sh_offset + r->next, sizeof *out);
			r->next += sizeof *out;
			if (out->r_offset >= r->from && out->r_offset < r->to)
				return true;
		}
	}
	return false;
}

static bool
is_relative(const Elf64_Rela *r)
{
	const uint32_t	type = ELF64_R_TYPE(r->r_info);

	return type == R_X86_64_PC32 || type == R_X86_64_GOTPCREL ||
	    type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
}

static bool
target_of(const struct split_object *o, const Elf64_Rela *r, Elf64_Sym *s)
{
	if (ELF64_R_SYM(r->r_info) >= o->nsymbols)
		return false;
	*s = split_symbol(o, ELF64_R_SYM(r->r_info));
	return true;
}

/*
 * A field relative to the counter ends four bytes or more before the next instruction.  How many
 * depends on the constant behind it; objects start at multiples of their alignment.
 */
static uint64_t
start_of(const Elf64_Sym *s, const Elf64_Rela *r, uint64_t align)
{
	static const uint64_t	behind[] = { 4, 5, 6, 8 };
	const uint64_t		at = s->st_value + (uint64_t)r->r_addend;

	if (!is_relative(r))
		return at;
	if (ELF64_ST_TYPE(s->st_info) != STT_SECTION)
		return s->st_value + (r->r_addend < -4 ? 0 : (uint64_t)r->r_addend + 4);
	for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
		if ((at + behind[i]) % align == 0)
			return at + behind[i];
	return at + behind[0];
}

/* ---- what they refer to ---- */

static bool	is_place_same(struct sides *, const struct place *);

static const unsigned char *
bytes_of(const struct split_object *o, size_t i, uint64_t at, uint64_t bytes)
{
	Elf64_Shdr	s;

	if (!split_section(o, i, &s) || s.sh_type == SHT_NOBITS || at > s.sh_size ||
	    bytes > s.sh_size - at)
		return NULL;
	return o->at + s.sh_offset + at;
}

/* With its end, which is as wide as a character. */
static uint64_t
string_bytes(const struct split_object *o, size_t section, uint64_t at, uint64_t wide)
{
	static const unsigned char	end[8];
	const unsigned char		*p;
	uint64_t			 n = 0;

	if (wide == 0 || wide > sizeof end)
		return 0;
	while ((p = bytes_of(o, section, at + n, wide)) != NULL && memcmp(p, end, wide) != 0)
		n += wide;
	return n + wide;
}

/* Where the next thing of a section starts to which the routine's code refers. */
static uint64_t
next_start(const struct side *s, size_t section, uint64_t at, uint64_t end)
{
	Elf64_Sym	sym;
	Elf64_Rela	r;

	for (size_t i = 0; i < s->n; i++) {
		struct references	all = { &s->o, s->part[i].section, 0, 0, UINT64_MAX, 0 };

		while (next_reference(&all, &r))
			if (target_of(&s->o, &r, &sym) && sym.st_shndx == section &&
			    start_of(&sym, &r, 4) > at && start_of(&sym, &r, 4) < end)
				end = start_of(&sym, &r, 4);
	}
	return end;
}

/* Of a table without a size: up to the next one, without the zeros that may only fill. */
static uint64_t
table_bytes(const struct side *s, size_t section, uint64_t at)
{
	const unsigned char	*p;
	Elf64_Shdr		 in;
	Elf64_Rela		 r;
	uint64_t		 n;
	struct references	 all = { &s->o, section, 0, at, UINT64_MAX, 0 };

	if (!split_section(&s->o, section, &in) || at >= in.sh_size)
		return 0;
	all.to = next_start(s, section, at, in.sh_size);
	n = all.to - at;
	if ((p = bytes_of(&s->o, section, at, n)) == NULL)
		return 0;
	while (n > 0 && p[n - 1] == 0)
		n--;
	while (next_reference(&all, &r))
		if (r.r_offset - at + FIELD_BYTES > n)
			n = r.r_offset - at + FIELD_BYTES;
	return n;
}

/*
 * gcc has a constant that is a part of another one in its place.  So of two sizes the smaller is
 * that of what the code reads.
 */
static uint64_t
constant_bytes(const Elf64_Shdr *u, const Elf64_Shdr *l)
{
	return u->sh_entsize < l->sh_entsize ? u->sh_entsize : l->sh_entsize;
}

static bool
are_of_one_kind(const Elf64_Shdr *u, const Elf64_Shdr *l)
{
	const Elf64_Xword	kind = l->sh_flags & (SHF_MERGE | SHF_STRINGS);

	return (u->sh_flags & (SHF_MERGE | SHF_STRINGS)) == kind &&
	    (u->sh_entsize == l->sh_entsize || (kind == SHF_MERGE && constant_bytes(u, l) > 0));
}

static bool
is_data_same(struct sides *s, const Elf64_Sym *a, const Elf64_Rela *ra, const Elf64_Sym *b,
    const Elf64_Rela *rb)
{
	struct place	p = { .unit_section = a->st_shndx, .lone_section = b->st_shndx };
	Elf64_Shdr	u, l;
	uint64_t	align;

	if (!split_section(&s->unit.o, a->st_shndx, &u) ||
	    !split_section(&s->lone.o, b->st_shndx, &l) || !are_of_one_kind(&u, &l))
		return false;
	if (u.sh_type == SHT_NOBITS || l.sh_type == SHT_NOBITS)
		return u.sh_type == l.sh_type && u.sh_size == l.sh_size &&
		    start_of(a, ra, FIELD_BYTES) == start_of(b, rb, FIELD_BYTES);
	align = (l.sh_flags & SHF_STRINGS) != 0 ? 1 : (l.sh_flags & SHF_MERGE) != 0 &&
	    constant_bytes(&u, &l) > 0 ? constant_bytes(&u, &l) : 4;
	p.unit_at = start_of(a, ra, align);
	p.lone_at = start_of(b, rb, align);
	if ((l.sh_flags & SHF_STRINGS) != 0)
		p.bytes = string_bytes(&s->lone.o, p.lone_section, p.lone_at, l.sh_entsize);
	else if ((l.sh_flags & SHF_MERGE) != 0) {
		p.unit_at -= p.unit_at % align;
		p.lone_at -= p.lone_at % align;
		p.bytes = align;
	} else
		p.bytes = table_bytes(&s->lone, p.lone_section, p.lone_at);
	return is_place_same(s, &p);
}

static bool
is_target_same(struct sides *s, const Elf64_Rela *ra, const Elf64_Rela *rb)
{
	const struct part	*p, *q;
	Elf64_Sym		 a, b;

	if (!target_of(&s->unit.o, ra, &a) || !target_of(&s->lone.o, rb, &b))
		return false;
	if (a.st_shndx == SHN_UNDEF || b.st_shndx == SHN_UNDEF)
		return a.st_shndx == b.st_shndx && ra->r_addend == rb->r_addend &&
		    strcmp(split_name(&s->unit.o, &s->unit.o.symbol_names, a.st_name),
		    split_name(&s->lone.o, &s->lone.o.symbol_names, b.st_name)) == 0;
	p = part_in(&s->unit, a.st_shndx);
	q = part_in(&s->lone, b.st_shndx);
	if (p != NULL && q != NULL)
		return is_same_name(p->name, q->name) && a.st_value + (uint64_t)ra->r_addend -
		    p->start == b.st_value + (uint64_t)rb->r_addend - q->start;
	return p == NULL && q == NULL && is_data_same(s, &a, ra, &b, rb);
}

/* ---- the same bytes, and the same behind each reference ---- */

/* A table's own entries are relative to its start; so they become places. */
static void
make_absolute(Elf64_Rela *r, uint64_t table)
{
	if (!is_relative(r))
		return;
	r->r_addend = (int64_t)((uint64_t)r->r_addend - (r->r_offset - table));
	r->r_info = ELF64_R_INFO(ELF64_R_SYM(r->r_info), (Elf64_Xword)R_X86_64_64);
}

static bool
are_references_same(struct sides *s, const struct place *p)
{
	struct references	 x = { &s->unit.o, p->unit_section, 0, p->unit_at,
				    p->unit_at + p->bytes, 0 };
	struct references	 y = { &s->lone.o, p->lone_section, 0, p->lone_at,
				    p->lone_at + p->bytes, 0 };
	Elf64_Rela		 a, b;

	while (next_reference(&x, &a)) {
		if (s->references++ == REFERENCES_MOST || !next_reference(&y, &b) ||
		    a.r_offset - p->unit_at != b.r_offset - p->lone_at ||
		    ELF64_R_TYPE(a.r_info) != ELF64_R_TYPE(b.r_info))
			return false;
		if (part_in(&s->lone, p->lone_section) == NULL) {
			make_absolute(&a, p->unit_at);
			make_absolute(&b, p->lone_at);
		}
		if (!is_target_same(s, &a, &b))
			return false;
	}
	return !next_reference(&y, &b);
}

static bool
is_place_same(struct sides *s, const struct place *p)
{
	const unsigned char	*a = bytes_of(&s->unit.o, p->unit_section, p->unit_at, p->bytes);
	const unsigned char	*b = bytes_of(&s->lone.o, p->lone_section, p->lone_at, p->bytes);
	bool			 same;

	if (a == NULL || b == NULL || memcmp(a, b, p->bytes) != 0 || s->depth == DEPTH_MOST)
		return false;
	s->depth++;
	same = are_references_same(s, p);
	s->depth--;
	return same;
}

static bool
are_parts_same(struct sides *s)
{
	if (s->unit.n != s->lone.n)
		return false;
	for (size_t i = 0; i < s->unit.n; i++) {
		const struct part	*u = &s->unit.part[i], *l = find_part(&s->lone, u->name);
		struct place		 p;

		if (l == NULL || u->bytes != l->bytes)
			return false;
		p = (struct place){ u->section, l->section, u->start, l->start, u->bytes };
		if (!is_place_same(s, &p))
			return false;
	}
	return true;
}

bool
split_is_same_object(const void *unit, size_t unit_bytes, unsigned k, int lone_fd)
{
	size_t		 n = 0;
	unsigned char	*lone = read_whole(lone_fd, &n);
	struct sides	*s = calloc(1, sizeof *s);
	const bool	 same = lone != NULL && s != NULL &&
			    split_open(&s->unit.o, unit, unit_bytes, SHT_SYMTAB) &&
			    split_open(&s->lone.o, lone, n, SHT_SYMTAB) &&
			    take_parts(&s->unit, k) && take_parts(&s->lone, SPLIT_NONE) &&
			    are_parts_same(s);

	free(s);
	free(lone);
	return same;
}

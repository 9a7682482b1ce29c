/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of an ELF file, which may be anything. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "client/micro/decode/elf.h"

/* Whether `n` entries of `size` bytes lie in the file. */
static bool
is_inside(const struct elf *e, uint64_t offset, uint64_t n, uint64_t size)
{
	return offset <= e->bytes && n <= (e->bytes - offset) / size;
}

/* Tables in the file need not be aligned. */
static void
get(const struct elf *e, uint64_t offset, void *to, size_t bytes)
{
	memcpy(to, e->at + offset, bytes);
}

static bool
find_machine(uint16_t number, enum machine *to)
{
	*to = number == EM_AARCH64 ? MACHINE_AARCH64 : MACHINE_X86_64;
	return number == EM_X86_64 || number == EM_AARCH64;
}

static enum status
find_symbols(struct elf *e, struct fault *why)
{
	Elf64_Shdr	s, names;

	for (uint64_t i = 0; i < e->nsections; i++) {
		get(e, e->sections + i * sizeof s, &s, sizeof s);
		if (s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM)
			continue;
		if (s.sh_link >= e->nsections)
			return fault_set(why, ST_BAD_SPEC, "the symbols have no names");
		get(e, e->sections + s.sh_link * sizeof names, &names, sizeof names);
		e->symbols = s.sh_offset;
		e->nsymbols = s.sh_size / sizeof(Elf64_Sym);
		e->names = names.sh_offset;
		e->names_bytes = names.sh_size;
		if (s.sh_type == SHT_SYMTAB)
			break;
	}
	if (e->nsymbols == 0)
		return fault_set(why, ST_BAD_SPEC, "the object has no symbols");
	if (!is_inside(e, e->symbols, e->nsymbols, sizeof(Elf64_Sym)) || e->names_bytes == 0 ||
	    !is_inside(e, e->names, e->names_bytes, 1) ||
	    e->at[e->names + e->names_bytes - 1] != '\0')
		return fault_set(why, ST_BAD_SPEC, "the symbols are not all in the file");
	return ST_OK;
}

/* With 65280 sections or more, the first one has their number. */
static uint64_t
count_sections(const struct elf *e, const Elf64_Ehdr *h)
{
	Elf64_Shdr	first;

	if (h->e_shnum != 0 || !is_inside(e, h->e_shoff, 1, sizeof first))
		return h->e_shnum;
	get(e, h->e_shoff, &first, sizeof first);
	return first.sh_size;
}

enum status
elf_open(struct elf *e, const unsigned char *at, size_t bytes, struct fault *why)
{
	static const unsigned char	start[] = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB };
	Elf64_Ehdr			h;

	*e = (struct elf){ .at = at, .bytes = bytes };
	if (bytes < sizeof h || memcmp(at, start, sizeof start) != 0)
		return fault_set(why, ST_BAD_SPEC, "this is no ELF file of 64 bits");
	get(e, 0, &h, sizeof h);
	if (!find_machine(h.e_machine, &e->machine))
		return fault_set(why, ST_BAD_SPEC, "the object is for machine %u of ELF, which is "
		    "not known here", h.e_machine);
	e->is_linked = h.e_type != ET_REL;
	e->sections = h.e_shoff;
	e->nsections = count_sections(e, &h);
	if (h.e_shentsize != sizeof(Elf64_Shdr) ||
	    !is_inside(e, e->sections, e->nsections, sizeof(Elf64_Shdr)))
		return fault_set(why, ST_BAD_SPEC, "the sections are not all in the file");
	return find_symbols(e, why);
}

/* A section that has instructions, all of it in the file. */
static bool
code_section(const struct elf *e, uint64_t i, Elf64_Shdr *s)
{
	if (i == SHN_UNDEF || i >= e->nsections)
		return false;
	get(e, e->sections + i * sizeof *s, s, sizeof *s);
	return s->sh_type == SHT_PROGBITS && (s->sh_flags & SHF_EXECINSTR) != 0 &&
	    is_inside(e, s->sh_offset, s->sh_size, 1);
}

static bool
read_function(const struct elf *e, uint64_t i, struct function *f)
{
	Elf64_Sym	symbol;
	Elf64_Shdr	s;
	uint64_t	at;

	get(e, e->symbols + i * sizeof symbol, &symbol, sizeof symbol);
	if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || symbol.st_name >= e->names_bytes ||
	    !code_section(e, symbol.st_shndx, &s))
		return false;
	at = e->is_linked ? symbol.st_value - s.sh_addr : symbol.st_value;
	if (at >= s.sh_size || symbol.st_size > s.sh_size - at)
		return false;
	*f = (struct function){
		.name = (const char *)e->at + e->names + symbol.st_name,
		.code = e->at + s.sh_offset + at,
		.bytes = symbol.st_size != 0 ? symbol.st_size : s.sh_size - at
	};
	return true;
}

void
elf_each_function(const struct elf *e, function_fn *visit, void *arg)
{
	struct function	f;

	for (uint64_t i = 0; i < e->nsymbols; i++)
		if (read_function(e, i, &f) && !visit(arg, &f))
			return;
}

struct wanted {
	const char	*name;
	struct function	*to;
	bool		 is_found;
	char		 others[200];
};

static bool
compare(void *arg, const struct function *f)
{
	struct wanted	*w = arg;
	size_t		 used = strlen(w->others);

	if (strcmp(f->name, w->name) == 0) {
		*w->to = *f;
		w->is_found = true;
		return false;
	}
	(void)snprintf(w->others + used, sizeof w->others - used, "%s%s", used > 0 ? ", " : "",
	    f->name);
	return true;
}

enum status
elf_function(const struct elf *e, const char *name, struct function *f, struct fault *why)
{
	struct wanted	w = { .name = name, .to = f };

	elf_each_function(e, compare, &w);
	if (w.is_found)
		return ST_OK;
	(void)fault_set(why, ST_NOT_FOUND, "the object has no function %s", name);
	if (w.others[0] != '\0')
		fault_hint(why, "it has %s", w.others);
	return ST_NOT_FOUND;
}

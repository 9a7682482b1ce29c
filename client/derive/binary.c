/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A routine of an object or a shared library, through its debugging information (libdwfl, which
 * relocates it: libdw alone reads wrong strings of relocatable files).  No other file is opened,
 * whatever the information names: neither separate information nor that of dwz.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>

#include "client/derive/derived.h"

enum { MAX_TYPES = 32, NAMES_BYTES = 160, MAX_INNER = 8 };

struct search {
	const char	*routine;	/* NULL: any */
	Dwarf_Die	 found;
	unsigned	 n;
	char		 names[NAMES_BYTES];
};

static int
no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, const char *file,
    const char *link, GElf_Word crc, char **found)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	*found = NULL;
	return -1;
}

/* ---- the routine ---- */

static const char *
name_of(Dwarf_Die *die)
{
	Dwarf_Attribute	 attribute;
	const char	*name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name,
			    &attribute));

	return name != NULL ? name : dwarf_diename(die);
}

static int
look_at(Dwarf_Die *die, void *arg)
{
	struct search	*s = arg;
	const char	*name = name_of(die), *plain = dwarf_diename(die);
	size_t		 used = strlen(s->names);

	if (name == NULL || plain == NULL || !dwarf_hasattr(die, DW_AT_low_pc) ||
	    !dwarf_hasattr_integrate(die, DW_AT_external))
		return DWARF_CB_OK;
	(void)snprintf(s->names + used, sizeof s->names - used, "%s%s", used > 0 ? ", " : "",
	    name);
	if (s->routine == NULL || strcmp(name, s->routine) == 0 ||
	    strcmp(plain, s->routine) == 0) {
		s->found = *die;
		s->n++;
	}
	return DWARF_CB_OK;
}

static enum status
find_routine(Dwfl *dwfl, const char *path, const char *routine, Dwarf_Die *found,
    struct fault *why)
{
	struct search	 s = { .routine = routine };
	Dwarf_Die	*unit = NULL;
	Dwarf_Addr	 bias;
	bool		 has_units = false;

	while ((unit = dwfl_nextcu(dwfl, unit, &bias)) != NULL) {
		has_units = true;
		(void)dwarf_getfuncs(unit, look_at, &s, 0);
	}
	*found = s.found;
	if (s.n == 1)
		return ST_OK;
	if (!has_units) {
		(void)fault_set(why, ST_BAD_SPEC, "%s: has no debugging information", path);
		fault_hint(why, "compile it with -g, or give its source");
		return ST_BAD_SPEC;
	}
	(void)fault_set(why, ST_BAD_SPEC, "%s: has %s%s%s", path, s.n > 1 ? "several functions" :
	    "no function ", s.n > 1 || routine == NULL ? "" : routine, "");
	if (s.names[0] != '\0')
		fault_hint(why, "it has %s%s", s.names, s.n > 1 ? "; use --routine" : "");
	return ST_BAD_SPEC;
}

static bool
next_type(Dwarf_Die *die, Dwarf_Die *to)
{
	Dwarf_Attribute	attribute;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), to) != NULL;
}

/* clang writes "complex" where C has _Complex. */
static const char *
base_name(Dwarf_Die *die)
{
	const char	*name = dwarf_diename(die);

	if (name != NULL && strcmp(name, "complex double") == 0)
		return "double _Complex";
	return name != NULL && strcmp(name, "complex float") == 0 ? "float _Complex" : name;
}

/* ---- structs ---- */

static const char	*add_members(Dwarf_Die *record, const char *outer, size_t offset,
			    unsigned depth, struct record_made *);

/* Through typedef, const and volatile. */
static void
strip(Dwarf_Die *die)
{
	Dwarf_Die	to;

	for (unsigned i = 0; i < MAX_TYPES; i++) {
		int	tag = dwarf_tag(die);

		if ((tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type) || !next_type(die, &to))
			return;
		*die = to;
	}
}

static const char *
add_type(Dwarf_Die *type, const char *name, size_t offset, unsigned depth, struct record_made *to)
{
	Dwarf_Die	 element;
	Dwarf_Word	 all = 0, one = 0;
	const char	*text;

	strip(type);
	if (dwarf_tag(type) == DW_TAG_structure_type && depth < MAX_INNER)
		return add_members(type, name, offset, depth + 1, to);
	if (dwarf_aggregate_size(type, &all) != 0)
		return "has no known size";
	element = *type;
	if (dwarf_tag(type) == DW_TAG_array_type && next_type(type, &element))
		strip(&element);
	text = dwarf_tag(&element) == DW_TAG_base_type ? base_name(&element) : NULL;
	if (text == NULL || dwarf_aggregate_size(&element, &one) != 0 || one == 0)
		return "is no number and no array of numbers";
	return record_add(to, name, text, all / one, offset);
}

static const char *
add_member(Dwarf_Die *member, const char *outer, size_t offset, unsigned depth,
    struct record_made *to)
{
	Dwarf_Attribute	 attribute;
	Dwarf_Word	 place = 0;
	Dwarf_Die	 type;
	const char	*own = dwarf_diename(member);
	char		 name[NAMES_BYTES];

	if (own == NULL || dwarf_hasattr(member, DW_AT_bit_size) ||
	    dwarf_hasattr(member, DW_AT_data_bit_offset) || !next_type(member, &type) ||
	    (dwarf_hasattr(member, DW_AT_data_member_location) && dwarf_formudata(dwarf_attr(
	    member, DW_AT_data_member_location, &attribute), &place) != 0))
		return "is no number and no array of numbers";
	(void)snprintf(name, sizeof name, "%s%s%s", outer, outer[0] != '\0' ? "_" : "", own);
	return add_type(&type, name, offset + place, depth, to);
}

static const char *
add_members(Dwarf_Die *record, const char *outer, size_t offset, unsigned depth,
    struct record_made *to)
{
	Dwarf_Die	 child, next;
	const char	*wrong = NULL;
	int		 more;

	for (more = dwarf_child(record, &child); more == 0 && wrong == NULL; child = next) {
		if (dwarf_tag(&child) == DW_TAG_member)
			wrong = add_member(&child, outer, offset, depth, to);
		more = dwarf_siblingof(&child, &next);
	}
	return wrong;
}

/* `alias`: the typedef's name; NULL: it has none. */
static bool
read_struct(Dwarf_Die *die, const char *alias, struct derived_param *p)
{
	const char	*name = dwarf_diename(die) != NULL ? dwarf_diename(die) : alias;

	if (name == NULL || !p->is_pointer || p->is_rows ||
	    add_members(die, "", 0, 0, &p->record) != NULL)
		return false;
	(void)snprintf(p->type, sizeof p->type, "struct %.100s", name);
	return record_check(&p->record, (size_t)dwarf_bytesize(die)) == NULL;
}

/* ---- types ---- */

/* Down to a basic type.  Returns false for what a spec cannot have. */
static bool
read_type(Dwarf_Die *die, struct derived_param *p)
{
	Dwarf_Die	 at, to;
	enum ctype	 known;
	const char	*name, *alias = NULL;

	if (!next_type(die, &at)) {
		(void)strcpy(p->type, "void");
		return true;
	}
	for (unsigned i = 0; i < MAX_TYPES; i++) {
		int	tag = dwarf_tag(&at);

		if (tag == DW_TAG_base_type || tag == DW_TAG_structure_type ||
		    tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type)
			break;
		if (tag == DW_TAG_pointer_type) {
			if (p->is_rows)
				return false;
			p->is_rows = p->is_pointer;
			p->is_pointer = true;
			p->is_const = false;
		} else if (tag == DW_TAG_const_type) {
			p->is_const = true;
		}
		if (tag == DW_TAG_typedef)
			alias = dwarf_diename(&at);
		if (!next_type(&at, &to)) {
			(void)strcpy(p->type, "void");
			return !p->is_rows;
		}
		at = to;
	}
	p->is_const &= p->is_pointer;
	if (dwarf_tag(&at) == DW_TAG_structure_type)
		return read_struct(&at, alias, p);
	name = dwarf_tag(&at) == DW_TAG_base_type ? base_name(&at) : NULL;
	(void)snprintf(p->type, sizeof p->type, "%s", name != NULL ? name : "");
	return ctype_parse(&known, p->type, NULL) == ST_OK;
}

static enum status
bad_type(const struct derived *d, const char *name, struct fault *why)
{
	(void)fault_set(why, ST_BAD_SPEC, "%s: %s of %s has a type that a spec cannot have",
	    d->path, name, d->name);
	fault_hint(why, "write a routine around it with numbers, pointers to them or to rows of "
	    "them, and structs of numbers");
	return ST_BAD_SPEC;
}

static enum status
read_param(struct derived *d, Dwarf_Die *die, struct fault *why)
{
	struct derived_param	*p = &d->params[d->n];
	Dwarf_Attribute		 attribute;
	const char		*name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name,
				    &attribute));
	int			 line = 0;

	if (d->n == PROTOTYPE_MAX_PARAMS)
		return fault_set(why, ST_BAD_SPEC, "%s: %s has more than %d parameters", d->path,
		    d->name, PROTOTYPE_MAX_PARAMS);
	if (name != NULL)
		(void)snprintf(p->name, sizeof p->name, "%s", name);
	else
		(void)snprintf(p->name, sizeof p->name, "arg%zu", d->n + 1);
	if (dwarf_decl_line(die, &line) == 0)
		p->line = line;
	d->n++;
	return read_type(die, p) ? ST_OK : bad_type(d, p->name, why);
}

static enum status
read_routine(struct derived *d, Dwarf_Die *routine, struct fault *why)
{
	struct derived_param	 result = { .is_pointer = false };
	Dwarf_Die		 child, next;
	enum status		 st = ST_OK;
	int			 more;
	bool			 is_good;

	(void)snprintf(d->name, sizeof d->name, "%s", name_of(routine));
	is_good = read_type(routine, &result) && !result.is_pointer;
	record_release(&result.record);
	if (!is_good)
		return bad_type(d, "the result", why);
	(void)strcpy(d->result, result.type);
	for (more = dwarf_child(routine, &child); more == 0 && st == ST_OK; ) {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			st = read_param(d, &child, why);
		more = dwarf_siblingof(&child, &next);
		child = next;
	}
	return st;
}

/* ---- the file ---- */

static int
find_alternative(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr start, void *arg)
{
	GElf_Addr	 bias;
	Elf		*elf = dwfl_module_getelf(m, &bias);
	Elf_Scn		*section = NULL;
	size_t		 names;

	(void)data, (void)name, (void)start;
	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
		return DWARF_CB_OK;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr	 header;
		const char	*is = gelf_getshdr(section, &header) != NULL ?
				    elf_strptr(elf, names, header.sh_name) : NULL;

		if (is != NULL && strcmp(is, ".gnu_debugaltlink") == 0)
			*(bool *)arg = true;
	}
	return DWARF_CB_OK;
}

enum status
derive_binary(struct derived *d, const char *path, const char *routine, struct fault *why)
{
	static const Dwfl_Callbacks	callbacks = {
		.find_elf = dwfl_build_id_find_elf, .find_debuginfo = no_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl		*dwfl = dwfl_begin(&callbacks);
	Dwarf_Die	 found;
	bool		 has_alternative = false;
	enum status	 st;

	if (dwfl == NULL)
		return fault_set(why, ST_NOMEM, "libdwfl");
	if (dwfl_report_offline(dwfl, path, path, -1) == NULL) {
		st = fault_set(why, ST_BAD_SPEC, "%s: %s", path, dwfl_errmsg(-1));
	} else {
		(void)dwfl_report_end(dwfl, NULL, NULL);
		(void)dwfl_getmodules(dwfl, find_alternative, &has_alternative, 0);
		if (has_alternative)
			st = fault_set(why, ST_BAD_SPEC, "%s: its debugging information is in "
			    "another file, which is not opened", path);
		else if ((st = find_routine(dwfl, path, routine, &found, why)) == ST_OK)
			st = read_routine(d, &found, why);
	}
	dwfl_end(dwfl);
	return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that an operand consists of, described by their members; they lie as C lays them. */
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

size_t
spec_element_bytes(const struct operand *o)
{
	return o->record != NULL ? o->record->bytes : ctype_bytes(o->type);
}

static size_t
alignment_of(enum ctype t)
{
	return ctype_class(t) == 'c' ? ctype_bytes(t) / 2 : ctype_bytes(t);
}

size_t
spec_natural_alignment(const struct operand *o)
{
	return o->record != NULL ? o->record->align : alignment_of(o->type);
}

static size_t
round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* ---- one member: [name, type] or [name, type, count] ---- */

static enum status
refuse_form(const struct node *n, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why, "must be a member's name, its type and, of an array, its "
	    "length");
	fault_hint(why, "[\"x\", \"double\"] or [\"v\", \"float\", 3]");
	return st;
}

static enum status
get_name(const struct record *r, struct record_member *m, const struct node *n, struct fault *why)
{
	enum status	st = decode_label(n, NAME_MAX_BYTES, &m->name, why);

	if (st == ST_OK && (st = name_check_routine(m->name, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	for (size_t i = 0; st == ST_OK && &r->member[i] != m; i++)
		if (strcmp(r->member[i].name, m->name) == 0)
			return decode_refuse(n, NULL, why, "two members are called \"%s\"",
			    m->name);
	return st;
}

static enum status
get_type(struct record_member *m, const struct node *n, struct fault *why)
{
	const char	*text = json_string_value(n->value);
	enum status	 st;

	if (text == NULL)
		return decode_refuse(n, NULL, why, "must be a string that names a C type");
	if ((st = ctype_parse(&m->type, text, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	if (ctype_bytes(m->type) > 0)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "a member is a number, not %s", ctype_name(m->type));
	fault_hint(why, "list the members of an inner struct here, in their order");
	return st;
}

static enum status
get_count(struct record_member *m, const struct node *n, struct fault *why)
{
	int64_t		count = 1;
	enum status	st = ST_OK;

	if (n->value != NULL)
		st = decode_integer(n, 1, SPEC_MAX_MEMBER_COUNT, &count, why);
	m->count = (size_t)count;
	return st;
}

static enum status
get_member(struct record *r, const struct node *n, struct fault *why)
{
	struct record_member	*m = &r->member[r->nmembers];
	const size_t		 parts = json_array_size(n->value);
	struct node		 name = decode_element(n, 0), type = decode_element(n, 1);
	struct node		 count = decode_element(n, 2);
	enum status		 st;

	if (!json_is_array(n->value) || parts < 2 || parts > 3)
		return refuse_form(n, why);
	r->nmembers++;
	if ((st = get_name(r, m, &name, why)) != ST_OK ||
	    (st = get_type(m, &type, why)) != ST_OK ||
	    (st = get_count(m, &count, why)) != ST_OK)
		return st;
	m->offset = round_up(r->bytes, alignment_of(m->type));
	r->bytes = m->offset + m->count * ctype_bytes(m->type);
	r->align = r->align > alignment_of(m->type) ? r->align : alignment_of(m->type);
	return ST_OK;
}

/* ---- all ---- */

static enum status
get_struct(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct record	*r;
	const size_t	 count = json_array_size(n->value);
	enum status	 st = ST_OK;

	if (!json_is_array(n->value) || count < 1 || count > SPEC_MAX_MEMBERS)
		return decode_refuse(n, NULL, why, "must be a list of 1 to %d members",
		    SPEC_MAX_MEMBERS);
	if ((r = p->o.record = calloc(1, sizeof *r)) == NULL)
		return fault_set(why, ST_NOMEM, "struct");
	p->o.type = CTYPE_STRUCT;
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		struct node	member = decode_element(n, i);

		st = get_member(r, &member, why);
	}
	if (st == ST_OK)
		r->bytes = round_up(r->bytes, r->align);
	return st;
}

static const struct shape_row	part_row = { .kind = SHAPE_OWN, .forms = FORM_INTEGER | FORM_TEXT,
	.least = 1, .most = SPEC_MAX_MEMBER_COUNT };
static const struct shape_row	member_row = { .kind = SHAPE_OWN, .forms = FORM_LIST, .least = 2,
	.most = 3, .each = &part_row };
static const struct shape_row	type_rows[] = {
	SPEC_ROW(0, "struct", SHAPE_OWN, .get = get_struct, .required = true, .forms = FORM_LIST,
	    .least = 1, .most = SPEC_MAX_MEMBERS, .each = &member_row),
};
const struct shape		type_shape = SHAPE_OF(struct place, type_rows);

void
spec_release_record(struct record *r)
{
	for (size_t i = 0; r != NULL && i < r->nmembers; i++)
		free(r->member[i].name);
	free(r);
}

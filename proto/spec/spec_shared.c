/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that point into the memory of another one: calls in place, or on parts that overlap. */
#include <inttypes.h>
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define MEMBER	"same_as"

bool
spec_is_shared(const struct node *arg)
{
	return json_object_get(arg->value, MEMBER) != NULL;
}

/* ---- what such an argument says ---- */

/* Is this argument an operand with memory of its own? */
static enum status
check_owner(const struct spec *s, const struct node *args, const struct node *n, size_t index,
    size_t of, struct fault *why)
{
	const char	*name = s->routine.params[of].name;
	struct node	 owner = decode_member(args, name);
	enum status	 st = ST_OK;

	if (of == index)
		st = decode_refuse(n, NULL, why, "is the argument itself");
	else if (spec_is_shared(&owner))
		st = decode_refuse(n, NULL, why, "\"%s\" is the same as another itself", name);
	else if (!s->routine.params[of].is_pointer || !json_is_object(owner.value))
		st = decode_refuse(n, NULL, why, "\"%s\" is no operand", name);
	if (st != ST_OK)
		fault_hint(why, "name an argument that has dims");
	return st;
}

static enum status
find_owner(const struct spec *s, const struct node *args, const struct node *n, size_t index,
    size_t *of, struct fault *why)
{
	const char	*names[PROTOTYPE_MAX_PARAMS + 1] = { NULL };
	const char	*name = json_string_value(n->value);
	enum status	 st;

	if (name == NULL)
		return decode_refuse(n, NULL, why, "must be a string that names an argument");
	for (*of = 0; *of < s->routine.nparams; ++*of) {
		names[*of] = s->routine.params[*of].name;
		if (strcmp(names[*of], name) == 0)
			return check_owner(s, args, n, index, *of, why);
	}
	st = decode_refuse(n, NULL, why, "the routine has no argument \"%s\"", name);
	decode_hint(why, name, names);
	return st;
}

static enum status
check_access(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;

	return spec_check_access(p, n, &p->shared.access, why);
}

static enum status
get_from(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct value	 v;
	int64_t		 first;
	enum status	 st;

	if (n->value == NULL)
		return ST_OK;
	if ((st = spec_decode_expr(n, &p->shared.from, why)) != ST_OK ||
	    (st = spec_eval(p->spec, n, p->shared.from, &v, why)) != ST_OK)
		return st;
	if (!spec_whole(&v, &first) || first < 0)
		return decode_refuse(n, NULL, why, "is %g; an element's number is whole and not "
		    "negative", value_real(&v));
	p->shared.first = (size_t)first;
	return ST_OK;
}

static enum status
get_nothing(void *out, const struct node *n, struct fault *why)
{
	(void)out, (void)n, (void)why;
	return ST_OK;
}

static const struct shape_row	shared_rows[] = {
	SPEC_ROW(0, MEMBER, SHAPE_OWN, .get = get_nothing),
	SPEC_ROW(0, "from", SHAPE_OWN, .get = get_from),
	SPEC_ROW(offsetof(struct place, shared.access), "access", SHAPE_WORD,
	    .words = words_access, .check = check_access, .always = true),
};
static const struct shape	shared_shape = SHAPE_OF(struct place, shared_rows);

/* What belongs to the memory is said where that is. */
static enum status
check_members(const struct spec *s, const struct node *n, size_t of, struct fault *why)
{
	const char	*name;
	json_t		*value;
	enum status	 st;

	json_object_foreach((json_t *)(uintptr_t)n->value, name, value)
		if (shape_row(&shared_shape, name) == NULL &&
		    shape_row(&operand_shape, name) != NULL) {
			st = decode_refuse(n, name, why, "is said by \"%s\", whose memory this "
			    "is", s->routine.params[of].name);
			fault_hint(why, "leave it out, or same_as");
			return st;
		}
	return ST_OK;
}

enum status
spec_decode_shared(struct spec *s, const struct node *args, size_t index, struct fault *why)
{
	struct place	p = { .spec = s, .param = &s->routine.params[index], .index = index };
	struct node	n = decode_member(args, p.param->name), of = decode_member(&n, MEMBER);
	enum status	st;

	if (!p.param->is_pointer || !spec_is_shared(&n))
		return ST_OK;
	if ((st = find_owner(s, args, &of, index, &p.shared.of, why)) != ST_OK ||
	    (st = check_members(s, &n, p.shared.of, why)) != ST_OK)
		return st;
	st = shape_get(&shared_shape, &p, &n, SHAPE_WRITTEN, why);
	s->args[index].is_shared = true;
	s->args[index].shared = p.shared;	/* half filled, too: it is to be released */
	return st;
}

/* ---- what that means for the memory ---- */

bool
spec_is_joint(const struct spec *s, size_t arg)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_shared && s->args[i].shared.of == arg)
			return true;
	return false;
}

enum access_kind
spec_joint_access(const struct spec *s, size_t index, enum access_kind own)
{
	enum access_kind	all = own;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_shared && s->args[i].shared.of == index &&
		    s->args[i].shared.access != all)
			all = ACCESS_INOUT;
	return all;
}

static enum status
check_fit(const struct spec *s, const struct node *n, size_t index, struct fault *why)
{
	const struct shared	*shared = &s->args[index].shared;
	const struct operand	*o = &s->args[shared->of].operand;
	const char		*name = s->routine.params[shared->of].name;
	const enum ctype	 type = s->routine.params[index].type;

	if (s->routine.params[index].is_rows)
		return decode_refuse(n, MEMBER, why,
		    "the routine takes pointers to rows, which are of an operand of its own");
	if (type != CTYPE_VOID && type != o->type)
		return decode_refuse(n, MEMBER, why,
		    "\"%s\" has elements of %s, but the routine takes a pointer to %s", name,
		    ctype_name(o->type), ctype_name(type));
	if (shared->first >= o->elements)
		return decode_refuse(n, "from", why, "is %zu, but \"%s\" has %zu elements",
		    shared->first, name, o->elements);
	return ST_OK;
}

enum status
spec_check_shared(const struct spec *s, const struct node *args, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < s->routine.nparams && st == ST_OK; i++) {
		struct node	n = decode_member(args, s->routine.params[i].name);

		if (s->args[i].is_shared)
			st = check_fit(s, &n, i, why);
	}
	return st;
}

/* ---- of an operand with memory of its own ---- */

/* Where it stands, the argument was read above. */
enum status
spec_get_same_as(void *place, const struct node *n, struct fault *why)
{
	return get_nothing(place, n, why);
}

enum status
spec_get_from(void *place, const struct node *n, struct fault *why)
{
	enum status	st;

	(void)place;
	if (n->value == NULL)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is an element of another argument, but none is named");
	fault_hint(why, "give same_as, or leave it out");
	return st;
}

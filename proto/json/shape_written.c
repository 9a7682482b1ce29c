/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents that users write: what is missing has a default, each value is checked as it is read.
 */
#include <string.h>

#include "proto/json/shape_impl.h"

enum { ROWS_MAX = 32 };

/* An object's members by the rows that they belong to.  Of an inlined shape any one stands here. */
struct members {
	json_t	*of[ROWS_MAX];		/* borrowed; NULL: missing */
};

static enum status
clear_members(const struct shape *s, struct members *m, struct fault *why)
{
	if (s->rows > ROWS_MAX)
		return fault_set(why, ST_INTERNAL, "a table of more than %d members", ROWS_MAX);
	memset(m->of, 0, s->rows * sizeof m->of[0]);
	return ST_OK;
}

/* whole: all of the object's members must be of this shape. */
static enum status
find_members(const struct shape *s, const struct node *n, bool whole, struct members *m,
    struct fault *why)
{
	const char	*name;
	json_t		*value;
	size_t		 at = 0;

	json_object_foreach((json_t *)(uintptr_t)n->value, name, value) {
		const size_t	i = shape_row_of(s, name, at);

		if (i < s->rows)
			m->of[at = i] = value;
		else if (whole)
			return shape_refuse_unknown(s, n, name, why);
	}
	return ST_OK;
}

/* What the table cannot know: a default that depends on other members, or a text. */
static enum status
get_missing(const struct shape_row *r, void *out, const struct node *n, struct fault *why)
{
	char	**text = shape_field(out, r);

	if (r->required)
		return decode_refuse(n, NULL, why, "is missing");
	if (r->kind == SHAPE_LABEL && r->preset_text != NULL) {
		*text = strdup(r->preset_text);
		return *text != NULL ? ST_OK : fault_set(why, ST_NOMEM, "document");
	}
	if (!r->always)
		return ST_OK;
	return r->check != NULL ? r->check(out, n, why) :
	    shape_get_value(r, out, n, SHAPE_WRITTEN, why);
}

static enum status
get_member(const struct shape_row *r, void *out, const struct node *n, struct fault *why)
{
	enum status	st;

	if (n->value == NULL)
		return get_missing(r, out, n, why);
	st = shape_get_value(r, out, n, SHAPE_WRITTEN, why);
	if (st == ST_OK && r->has != 0)
		*(bool *)((char *)out + r->has) = true;
	if (st == ST_OK && r->check != NULL)
		st = r->check(out, n, why);
	return st;
}

/* All that are there go to one function. */
static enum status
get_each(const struct shape_row *r, void *out, const struct node *n, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < r->of->rows && st == ST_OK; i++) {
		struct node	child = decode_member(n, r->of->row[i].name);

		if (child.value != NULL)
			st = r->get(out, &child, why);
	}
	return st;
}

static enum status	get_rows(const struct shape *, void *, const struct node *,
			    const struct members *, struct fault *);

/* Members that stand among the others of the object; there: at least one does. */
static enum status
get_inlined(const struct shape_row *r, void *out, const struct node *n, bool there,
    struct fault *why)
{
	struct members	m;
	enum status	st;

	if (r->get != NULL)
		return there ? get_each(r, out, n, why) : ST_OK;
	if ((st = clear_members(r->of, &m, why)) != ST_OK)
		return st;
	if (there)
		(void)find_members(r->of, n, false, &m, why);
	return get_rows(r->of, shape_field(out, r), n, &m, why);
}

static enum status
get_rows(const struct shape *s, void *out, const struct node *n, const struct members *m,
    struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < s->rows && st == ST_OK; i++) {
		const struct shape_row	*r = &s->row[i];
		struct node		 child = { .up = n, .name = r->name, .value = m->of[i] };

		st = r->kind == SHAPE_INLINE ?
		    get_inlined(r, out, n, child.value != NULL, why) :
		    get_member(r, out, &child, why);
	}
	return st;
}

enum status
shape_get_written(const struct shape *s, void *out, const struct node *n, struct fault *why)
{
	struct members	m;
	enum status	st;

	if ((st = clear_members(s, &m, why)) != ST_OK ||
	    (st = decode_object(n, why)) != ST_OK ||
	    (st = find_members(s, n, true, &m, why)) != ST_OK)
		return st;
	return get_rows(s, out, n, &m, why);
}

/* ---- defaults ---- */

static void
set_default(const struct shape_row *r, void *out)
{
	const unsigned	 word = (unsigned)r->preset;
	void		*at = shape_field(out, r);

	switch (r->kind) {
	case SHAPE_FLAG:	*(bool *)at = r->preset != 0; break;
	case SHAPE_COUNT:	*(unsigned *)at = word; break;
	case SHAPE_SIZE:	*(uint64_t *)at = (uint64_t)r->preset; break;
	case SHAPE_INTEGER:	*(int64_t *)at = (int64_t)r->preset; break;
	case SHAPE_REAL:	*(double *)at = r->preset; break;
	case SHAPE_WORD:
	case SHAPE_OWN:
	case SHAPE_OWN_PART:	memcpy(at, &word, sizeof word); break;	/* an enumeration */
	default:		break;
	}
}

void
shape_set_defaults(const struct shape *s, void *out)
{
	for (size_t i = 0; i < s->rows; i++) {
		const struct shape_row	*r = &s->row[i];

		if (r->kind == SHAPE_OBJECT || (r->kind == SHAPE_INLINE && r->get == NULL))
			shape_set_defaults(r->of, shape_field(out, r));
		else if (r->has_default)
			set_default(r, out);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/shape_impl.h"

const struct shape_row *
shape_row(const struct shape *s, const char *name)
{
	for (size_t i = 0; i < s->rows; i++) {
		const struct shape_row	*r = &s->row[i];

		if (r->kind == SHAPE_INLINE)
			r = shape_row(r->of, name);
		else if (strcmp(r->name, name) != 0)
			r = NULL;
		if (r != NULL)
			return r;
	}
	return NULL;
}

/* ---- none ---- */

void
shape_set_none(const struct shape_row *r, void *out)
{
	static const struct shape_list	no_list;
	static const struct node	nothing;
	void				*at = shape_field(out, r);

	switch (r->kind) {
	case SHAPE_FLAG:	*(bool *)at = false; break;
	case SHAPE_COUNT:	*(unsigned *)at = UINT_MAX; break;
	case SHAPE_SIZE:	*(uint64_t *)at = SHAPE_NO_SIZE; break;
	case SHAPE_INTEGER:	*(int64_t *)at = INT64_MIN; break;
	case SHAPE_REAL:	*(double *)at = NAN; break;
	case SHAPE_TEXT:	*(const char **)at = NULL; break;
	case SHAPE_REALS:
	case SHAPE_SIZES:
	case SHAPE_TEXTS:
	case SHAPE_LIST:
	case SHAPE_MAP:
	case SHAPE_NOTES:	memcpy(at, &no_list, sizeof no_list); break;
	case SHAPE_OBJECT:
	case SHAPE_INLINE:	shape_clear(r->of, at); break;
	case SHAPE_OWN:		(void)r->get(out, &nothing, NULL); break;
	case SHAPE_PAIR:
	case SHAPE_WORD:
	case SHAPE_OWN_PART:
	case SHAPE_LABEL:
	case SHAPE_STRING:	break;
	}
}

void
shape_clear(const struct shape *s, void *out)
{
	memset(out, 0, s->bytes);
	for (size_t i = 0; i < s->rows; i++)
		shape_set_none(&s->row[i], out);
}

/* ---- arrays ---- */

bool
shape_list_make(struct shape_list *l, size_t n, size_t bytes)
{
	*l = (struct shape_list){ n != 0 ? calloc(n, bytes) : NULL, n };
	if (n == 0 || l->at != NULL)
		return true;
	l->n = 0;
	return false;
}

bool
shape_reals_make(struct shape_reals *out, size_t n)
{
	struct shape_list	l;
	const bool		made = shape_list_make(&l, n, sizeof *out->x);

	*out = (struct shape_reals){ l.at, l.n };
	return made;
}

bool
shape_sizes_make(struct shape_sizes *out, size_t n)
{
	struct shape_list	l;
	const bool		made = shape_list_make(&l, n, sizeof *out->x);

	*out = (struct shape_sizes){ l.at, l.n };
	return made;
}

bool
shape_texts_make(struct shape_texts *out, size_t n)
{
	struct shape_list	l;
	const bool		made = shape_list_make(&l, n, sizeof *out->x);

	*out = (struct shape_texts){ l.at, l.n };
	return made;
}

/* ---- release ---- */

static void
release_list(const struct shape *of, struct shape_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		shape_release(of, (char *)l->at + i * of->bytes);
	free(l->at);
}

void
shape_release_row(const struct shape_row *r, void *in)
{
	struct shape_list	array;

	if (r->kind == SHAPE_OBJECT || r->kind == SHAPE_INLINE)
		shape_release(r->of, shape_field(in, r));
	if (r->kind < SHAPE_REALS || r->kind > SHAPE_NOTES)
		return;
	memcpy(&array, shape_value(in, r), sizeof array);
	if (r->kind == SHAPE_LIST || r->kind == SHAPE_MAP)
		release_list(r->of, &array);
	else
		free(array.at);
}

void
shape_release(const struct shape *s, void *in)
{
	for (size_t i = 0; i < s->rows; i++)
		shape_release_row(&s->row[i], in);
	shape_clear(s, in);
}

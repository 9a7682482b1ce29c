/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "proto/json/scan.h"
#include "proto/json/shape_impl.h"

static void	put_object(struct text *, const struct shape *, const void *, enum shape_way);

static bool
is_none(const struct shape_row *r, const void *in)
{
	const void		*at = shape_value(in, r);
	struct shape_list	 array;

	if (shape_has_bool(r))
		return !*(const bool *)((const char *)in + r->has);
	switch (r->kind) {
	case SHAPE_COUNT:	return *(const unsigned *)at == UINT_MAX;
	case SHAPE_SIZE:	return *(const uint64_t *)at == SHAPE_NO_SIZE;
	case SHAPE_INTEGER:	return *(const int64_t *)at == INT64_MIN;
	case SHAPE_REAL:	return !isfinite(*(const double *)at);
	case SHAPE_LABEL:
	case SHAPE_STRING:
	case SHAPE_TEXT:	return *(const char *const *)at == NULL;
	case SHAPE_OWN:		return r->is_none != NULL && r->is_none(in);
	case SHAPE_FLAG:
	case SHAPE_WORD:
	case SHAPE_OBJECT:
	case SHAPE_INLINE:
	case SHAPE_OWN_PART:
	case SHAPE_PAIR:	return false;
	case SHAPE_REALS:
	case SHAPE_SIZES:
	case SHAPE_TEXTS:
	case SHAPE_LIST:
	case SHAPE_MAP:
	case SHAPE_NOTES:	break;
	}
	memcpy(&array, at, sizeof array);
	return array.n == 0 && r->none != SHAPE_NEVER;
}

static void
put_element(struct text *t, const struct shape_row *r, const void *at, size_t i, enum shape_way way)
{
	text_comma(t);
	if (r->kind == SHAPE_REALS)
		text_real(t, ((const double *)at)[i]);
	else if (r->kind == SHAPE_SIZES)
		text_integer(t, (int64_t)((const uint64_t *)at)[i]);
	else if (r->kind == SHAPE_TEXTS)
		text_string(t, ((const char *const *)at)[i]);
	else
		put_object(t, r->of, (const char *)at + i * r->of->bytes, way);
}

static void
put_array(struct text *t, const struct shape_row *r, const void *in, enum shape_way way)
{
	struct shape_list	array;

	memcpy(&array, shape_value(in, r), sizeof array);
	text_char(t, '[');
	for (size_t i = 0; i < array.n; i++)
		put_element(t, r, array.at, i, way);
	text_char(t, ']');
}

/*
 * Members that the document names: a map's structs each begin with their name, notes are a name and
 * a text.
 */
static void
put_named(struct text *t, const struct shape_row *r, const void *in, enum shape_way way)
{
	const size_t		 bytes = r->kind == SHAPE_MAP ? r->of->bytes :
				    sizeof(struct shape_note);
	struct shape_list	 array;

	memcpy(&array, shape_value(in, r), sizeof array);
	text_char(t, '{');
	for (size_t i = 0; i < array.n; i++) {
		const char	*at = (const char *)array.at + i * bytes;

		text_name(t, *(const char *const *)at);
		if (r->kind == SHAPE_MAP)
			put_object(t, r->of, at, way);
		else
			text_string(t, ((const struct shape_note *)(const void *)at)->text);
	}
	text_char(t, '}');
}

void
shape_put_pair(struct text *t, const double *x)
{
	text_char(t, '[');
	text_real(t, x[0]);
	text_char(t, ',');
	text_real(t, x[1]);
	text_char(t, ']');
}

static const char *
kept_text(const struct shape_row *r, const void *in)
{
	const void	*at = (const char *)in + r->kept;

	return r->kept != 0 ? *(const char *const *)at : NULL;
}

static void
put_object_or_kept(struct text *t, const struct shape_row *r, const void *in, enum shape_way way)
{
	const char	*kept = kept_text(r, in);

	if (kept != NULL)
		text_raw(t, kept, strlen(kept));
	else
		put_object(t, r->of, shape_value(in, r), way);
}

static void
put_value(struct text *t, const struct shape_row *r, const void *in, enum shape_way way)
{
	const void	*at = shape_value(in, r);

	switch (r->kind) {
	case SHAPE_FLAG:	text_flag(t, *(const bool *)at); break;
	case SHAPE_COUNT:	text_integer(t, *(const unsigned *)at); break;
	case SHAPE_SIZE:
	case SHAPE_INTEGER:	text_integer(t, *(const int64_t *)at); break;
	case SHAPE_REAL:	text_real(t, *(const double *)at); break;
	case SHAPE_LABEL:
	case SHAPE_STRING:
	case SHAPE_TEXT:	text_string(t, *(const char *const *)at); break;
	case SHAPE_WORD:	text_string(t, r->words[*(const unsigned *)at]); break;
	case SHAPE_PAIR:	shape_put_pair(t, at); break;
	case SHAPE_REALS:
	case SHAPE_SIZES:
	case SHAPE_TEXTS:
	case SHAPE_LIST:	put_array(t, r, in, way); break;
	case SHAPE_MAP:
	case SHAPE_NOTES:	put_named(t, r, in, way); break;
	case SHAPE_OBJECT:	put_object_or_kept(t, r, in, way); break;
	case SHAPE_OWN:		r->put(t, in); break;
	case SHAPE_OWN_PART:
	case SHAPE_INLINE:	break;
	}
}

static void	put_rows(struct text *, const struct shape *, const void *, enum shape_way);

static void
put_inlined(struct text *t, const struct shape_row *r, const void *in, enum shape_way way)
{
	const char		*kept = kept_text(r, in);
	const struct span	 object = { kept, kept != NULL ? strlen(kept) : 0 };

	if (kept == NULL) {
		put_rows(t, r->of, shape_value(in, r), way);
	} else if (!scan_is_empty(&object)) {
		text_comma(t);
		text_raw(t, kept + 1, object.bytes - 2);
	}
}

static void
put_rows(struct text *t, const struct shape *s, const void *in, enum shape_way way)
{
	for (size_t i = 0; i < s->rows; i++) {
		const struct shape_row	*r = &s->row[i];
		const bool		 none = is_none(r, in);

		if (r->kind == SHAPE_INLINE && !none)
			put_inlined(t, r, in, way);
		if (r->kind == SHAPE_INLINE)
			continue;
		if (none && (r->none == SHAPE_LEFT_OUT || way == SHAPE_SPARSE))
			continue;
		text_name(t, r->name);
		if (!none)
			put_value(t, r, in, way);
		else if (r->none == SHAPE_ABSENT)
			text_string(t, "absent");
		else
			text_null(t);
	}
}

static void
put_object(struct text *t, const struct shape *s, const void *in, enum shape_way way)
{
	text_char(t, '{');
	put_rows(t, s, in, way);
	text_char(t, '}');
}

void
shape_put_object(struct text *t, const struct shape *s, const void *in)
{
	put_object(t, s, in, SHAPE_EXACT);
}

char *
shape_put(const struct shape *s, const void *in, enum shape_way way)
{
	struct text	t = { .at = NULL };

	put_object(&t, s, in, way);
	return text_take(&t);
}

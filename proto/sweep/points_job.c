/* SPDX-License-Identifier: Apache-2.0 */
/* The job of a point of a space, and the words for the point. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/sweep/points_parts.h"

/* --- a point's words: "UNROLL=4 flags=-O3,-mavx2" --- */

enum { PLACE_BYTES = 64 + 2 * NAME_MAX_BYTES };

struct words {
	char	text[SPEC_MAX_NAME + 1];
	size_t	length;
	bool	is_full;
};

/* Drop a character at the end if not all of its bytes fit. */
static void
drop_half_character(struct words *w)
{
	size_t	lead = w->length;

	while (lead > 0 && ((unsigned char)w->text[lead - 1] & 0xc0) == 0x80)
		lead--;
	if (lead > 0 && (unsigned char)w->text[lead - 1] >= 0xc0)
		w->length = lead - 1;
	w->text[w->length] = '\0';
}

static void __attribute__((format(printf, 2, 3)))
add_words(struct words *w, const char *fmt, ...)
{
	size_t	from = w->length;
	va_list	ap;
	int	n;

	if (w->is_full)
		return;
	va_start(ap, fmt);
	n = vsnprintf(w->text + from, sizeof w->text - from, fmt, ap);
	va_end(ap);
	w->length += n > 0 ? (size_t)n : 0;
	if (w->length >= sizeof w->text) {
		w->length = sizeof w->text - 1;
		w->is_full = true;
		drop_half_character(w);
	}
	for (size_t i = from; i < w->length; i++)
		if ((unsigned char)w->text[i] < ' ' || w->text[i] == 0x7f)
			w->text[i] = '?';
}

static void
add_value(struct words *w, const struct dimension *d)
{
	const json_t	*v = dimension_value(d), *item;
	char		 number[48], *text;
	size_t		 i;

	if (json_is_integer(v)) {
		add_words(w, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	} else if (json_is_real(v)) {
		decode_put_real(json_real_value(v), number, sizeof number);
		add_words(w, "%s", number);
	} else if (json_is_string(v) && strcmp(d->name, "source") != 0) {
		add_words(w, "%s", json_string_value(v));
	} else if (json_is_array(v)) {
		json_array_foreach(v, i, item)
			add_words(w, "%s%s", i > 0 ? "," : "",
			    json_is_string(item) ? json_string_value(item) : "?");
	} else if (d->target == TARGET_SPEC && (text = json_dumps(v, JSON_COMPACT |
	    JSON_ENCODE_ANY)) != NULL) {
		add_words(w, "%s", text);
		free(text);
	} else {
		add_words(w, "#%zu", d->at);
	}
}

/* Of a whole variant; NULL: it has none. */
static const char *
own_name(const struct dimension *d)
{
	return d->target == TARGET_VARIANT ?
	    json_string_value(json_object_get(dimension_value(d), "name")) : NULL;
}

static void
add_point(struct words *w, const struct points *s)
{
	for (size_t i = 0; i < s->ndims; i++) {
		if (strcmp(s->dims[i].name, "name") == 0 || own_name(&s->dims[i]) != NULL)
			continue;
		add_words(w, "%s%s=", w->length > 0 ? " " : "", s->dims[i].name);
		add_value(w, &s->dims[i]);
	}
}

/* --- jobs: each function returns a new reference; NULL: out of memory --- */

static json_t *
copy_or_empty(const json_t *object)
{
	return object != NULL ? json_copy((json_t *)(uintptr_t)object) : json_object();
}

/* `object` (taken) with the value at the path; objects on the way are copies, or new. */
static json_t *
with_path(json_t *object, const char *path, const json_t *value)
{
	const char	*dot = strchr(path, '.');
	const size_t	 n = dot != NULL ? (size_t)(dot - path) : strlen(path);
	char		 name[NAME_MAX_BYTES + 1];
	json_t		*inner;

	(void)snprintf(name, sizeof name, "%.*s", (int)n, path);
	inner = json_object_get(object, name);
	inner = dot != NULL ? with_path(json_is_object(inner) ? json_copy(inner) : json_object(),
	    dot + 1, value) : json_incref((json_t *)(uintptr_t)value);
	if (object == NULL) {
		json_decref(inner);
		return NULL;
	}
	if (json_object_set_new(object, name, inner) == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* `base` (taken) with the values of the dimensions of one target. */
static json_t *
overlay(const struct points *s, enum target target, json_t *base)
{
	for (size_t i = 0; i < s->ndims && base != NULL; i++) {
		const struct dimension	*d = &s->dims[i];

		if (d->target == target)
			base = with_path(base, target == TARGET_SPEC ? d->path : d->name,
			    dimension_value(d));
	}
	return base;
}

/* What a whole variant adds to the job's meta; NULL: nothing. */
static json_t *
own_meta(const struct dimension *d)
{
	json_t	*meta = d->target == TARGET_VARIANT ?
		    json_object_get(dimension_value(d), "meta") : NULL;

	return json_is_object(meta) ? meta : NULL;
}

static json_t *
overlay_variants(const struct points *s, json_t *base)
{
	for (size_t i = 0; i < s->ndims; i++) {
		const struct dimension	*d = &s->dims[i];

		if (d->target != TARGET_VARIANT)
			continue;
		if (json_object_update(base, (json_t *)(uintptr_t)dimension_value(d)) != 0) {
			json_decref(base);
			return NULL;
		}
		if (own_meta(d) != NULL)
			(void)json_object_del(base, "meta");
	}
	return base;
}

static bool
has_target(const struct points *s, enum target target)
{
	for (size_t i = 0; i < s->ndims; i++)
		if (s->dims[i].target == target)
			return true;
	return false;
}

static json_t *
point_variant(const struct points *s)
{
	json_t		*v = overlay(s, TARGET_MEMBER,
			    overlay_variants(s, copy_or_empty(s->template)));
	const char	*name = json_string_value(json_object_get(v, "name"));
	struct words	 w = { .is_full = false };
	bool		 ok = v != NULL;

	if (name != NULL)
		add_words(&w, "%s", name);
	add_point(&w, s);
	if (ok && (name != NULL || json_object_get(v, "name") == NULL))
		ok = json_object_set_new(v, "name", json_string(w.text)) == 0;
	if (ok && has_target(s, TARGET_DEFINE))
		ok = json_object_set_new(v, "defines",
		    overlay(s, TARGET_DEFINE, copy_or_empty(json_object_get(v, "defines")))) == 0;
	if (ok)
		return v;
	json_decref(v);
	return NULL;
}

static json_t *
point_spec(const struct points *s)
{
	json_t	*spec;

	if (!has_target(s, TARGET_PARAM) && !has_target(s, TARGET_SPEC))
		return json_incref((json_t *)(uintptr_t)s->spec);
	spec = overlay(s, TARGET_SPEC, json_copy((json_t *)(uintptr_t)s->spec));
	if (spec == NULL || !has_target(s, TARGET_PARAM) ||
	    json_object_set_new(spec, "params", overlay(s, TARGET_PARAM,
	    copy_or_empty(json_object_get(spec, "params")))) == 0)
		return spec;
	json_decref(spec);
	return NULL;
}

/* Of a whole variant its name or number. */
static json_t *
meta_value(const struct dimension *d)
{
	const char	*name = own_name(d);

	if (d->target != TARGET_VARIANT)
		return json_incref((json_t *)(uintptr_t)dimension_value(d));
	return name != NULL ? json_string(name) : json_integer((json_int_t)d->at);
}

/* The sweep's, overridden by a whole variant's own, overridden by the point's values. */
static json_t *
point_meta(const struct points *s)
{
	json_t	*meta = copy_or_empty(s->meta);
	bool	 ok = meta != NULL;

	for (size_t i = 0; i < s->ndims && ok; i++)
		ok = own_meta(&s->dims[i]) == NULL ||
		    json_object_update(meta, own_meta(&s->dims[i])) == 0;
	for (size_t i = 0; i < s->ndims && ok; i++)
		ok = json_object_set_new(meta, s->dims[i].name, meta_value(&s->dims[i])) == 0;
	if (ok)
		return meta;
	json_decref(meta);
	return NULL;
}

enum status
points_job(const struct points *s, json_t **job, struct fault *why)
{
	*job = json_pack("{s:o, s:o, s:o}", "variant", point_variant(s), "spec", point_spec(s),
	    "meta", point_meta(s));
	return *job != NULL ? ST_OK : fault_set(why, ST_NOMEM, "sweep");
}

/* --- faults of a job, in the sweep's own terms --- */

/* The member of the job that a dimension sets, or what has its members. */
static void
put_place(const struct dimension *d, char *to, size_t bytes)
{
	static const char *const	parents[TARGET_N] = {
		[TARGET_MEMBER] = "variant.", [TARGET_PARAM] = "spec.params.",
		[TARGET_DEFINE] = "variant.defines.", [TARGET_SPEC] = "spec.",
		[TARGET_VARIANT] = "",
	};

	(void)snprintf(to, bytes, "%s%s", parents[d->target],
	    d->path != NULL ? d->path : d->name);
}

/* The member at fault is none of the whole variant that is at the point. */
static bool
is_of_template(const struct dimension *d, const struct fault *why)
{
	char	member[NAME_MAX_BYTES + 1];

	if (d->target != TARGET_VARIANT || strncmp(why->member, "variant.", 8) != 0)
		return false;
	(void)snprintf(member, sizeof member, "%.*s", (int)strcspn(why->member + 8, ".["),
	    why->member + 8);
	return json_object_get(dimension_value(d), member) == NULL;
}

static bool
blame_dimension(const struct dimension *d, struct fault *why)
{
	char	from[PLACE_BYTES], to[PLACE_BYTES];

	if (is_of_template(d, why))
		return false;
	put_place(d, from, sizeof from);
	(void)snprintf(to, sizeof to, "space.%s[%zu]", d->name, d->at);
	return fault_rename(why, from, to);
}

/* Macros first: one of them may stand in a whole variant that has other macros, too. */
enum status
points_blame(const struct points *s, enum status st, struct fault *why)
{
	struct words	w = { .is_full = false };
	size_t		length;
	bool		renamed = false;

	if (why == NULL || st != ST_BAD_SPEC)
		return st;
	for (int whole = 0; whole < 2; whole++)
		for (size_t i = 0; i < s->ndims && !renamed; i++)
			if ((s->dims[i].target == TARGET_VARIANT) == (whole != 0))
				renamed = blame_dimension(&s->dims[i], why);
	if (!renamed)
		(void)fault_rename(why, "variant", "template");
	add_point(&w, s);
	length = strlen(why->text);
	(void)snprintf(why->text + length, sizeof why->text - length, ", at the point %s", w.text);
	return st;
}

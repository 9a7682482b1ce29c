/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/sweep/points_parts.h"

/* --- dimensions --- */

/*
 * Params, macros and whole variants are checked here, where their place is known; most other
 * values when the job is decoded.
 */
static enum status
check_value(const struct dimension *d, const struct node *n, struct fault *why)
{
	struct node	 value = { .up = n, .name = d->name, .value = n->value };
	struct define	 define = { NULL, NULL };
	struct param	 param = { .name = NULL };
	char		 hint[sizeof why->hint];
	enum status	 st = ST_OK;

	if (d->target == TARGET_DEFINE) {
		st = spec_decode_define(&value, &define, why);
		free(define.text);
	} else if (d->target == TARGET_PARAM) {
		st = spec_decode_param(&value, &param, why);
		spec_release_param(&param);
	} else if (d->target == TARGET_VARIANT || strcmp(d->name, "defines") == 0) {
		return decode_object(n, why);	/* to which other dimensions may add */
	}
	/* The same words at this place. */
	if (st == ST_BAD_SPEC && why != NULL) {
		memcpy(hint, why->hint, sizeof hint);
		(void)decode_refuse(n, NULL, why, "%s", why->text);
		fault_hint(why, "%s", hint);
	}
	return st;
}

/* "variant" may be a macro, too, but none has an object as its value. */
static bool
is_of_variants(const struct dimension *d)
{
	return strcmp(d->name, "variant") == 0 && json_is_object(json_array_get(d->values, 0));
}

static enum target
target_of(const struct points *s, const struct dimension *d)
{
	if (shape_row(&variant_shape, d->name) != NULL)
		return TARGET_MEMBER;
	if (json_object_get(s->params, d->name) != NULL)
		return TARGET_PARAM;
	if (strcmp(d->name, "context") == 0 || strchr(d->name, '.') != NULL)
		return TARGET_SPEC;
	return is_of_variants(d) ? TARGET_VARIANT : TARGET_DEFINE;
}

/* Two names of one member, as "context" and "spec.context". */
static bool
is_path_taken(const struct points *s, const char *path)
{
	for (size_t i = 0; i < s->ndims; i++)
		if (s->dims[i].target == TARGET_SPEC && strcmp(s->dims[i].path, path) == 0)
			return true;
	return false;
}

/* Names with dots between, the first a member of the spec. */
static bool
is_path(const char *path)
{
	char	first[NAME_MAX_BYTES + 1];
	size_t	n;

	(void)snprintf(first, sizeof first, "%.*s", (int)strcspn(path, "."), path);
	if (shape_row(&spec_shape, first) == NULL)
		return false;
	while ((n = name_length(path)) > 0 && path[n] == '.')
		path += n + 1;
	return n > 0 && path[n] == '\0';
}

static enum status
check_path(const struct points *s, const struct node *n, const char *path, struct fault *why)
{
	enum status	st;

	if (strlen(path) > NAME_MAX_BYTES)
		return decode_refuse(n, NULL, why, "a path has at most %d bytes", NAME_MAX_BYTES);
	if (is_path_taken(s, path))
		return decode_refuse(n, NULL, why, "is in the space twice");
	if (is_path(path))
		return ST_OK;
	st = decode_refuse(n, NULL, why, "a name with a dot is the path of a member of the spec");
	fault_hint(why, "\"args.X.offset\", \"timing.calls\"; a macro's name has no dot");
	return st;
}

static enum status
check_name(const struct points *s, struct dimension *d, const struct node *n, struct fault *why)
{
	enum status	st;

	if (d->target == TARGET_SPEC) {
		d->path = name_starts(d->name, "spec.") ? d->name + strlen("spec.") : d->name;
		return check_path(s, n, d->path, why);
	}
	if (d->target == TARGET_DEFINE && (st = name_check_define(d->name, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	return ST_OK;
}

static enum status
add_dimension(struct points *s, const struct node *n, struct fault *why)
{
	struct dimension	*d = &s->dims[s->ndims];
	enum status		 st;

	*d = (struct dimension){ .name = n->name, .values = n->value,
	    .n = json_array_size(n->value) };
	if (d->n == 0)
		return decode_refuse(n, NULL, why, "must be an array of at least one value");
	d->target = target_of(s, d);
	if ((st = check_name(s, d, n, why)) != ST_OK)
		return st;
	for (size_t i = 0; i < d->n; i++) {
		struct node	value = decode_element(n, i);

		if ((st = check_value(d, &value, why)) != ST_OK)
			return st;
	}
	if (__builtin_mul_overflow(s->npoints, d->n, &s->npoints))
		s->npoints = UINT64_MAX;
	s->ndims++;
	return ST_OK;
}

static enum status
read_dimensions(struct points *s, const struct node *root, struct fault *why)
{
	struct node	 n = decode_member(root, "space");
	size_t		 count = json_object_size(n.value);
	const char	*name;
	json_t		*value;
	enum status	 st;

	if (count < 1 || count > POINTS_MAX_DIMENSIONS)
		return decode_refuse(&n, NULL, why, "must have 1 to %d members",
		    POINTS_MAX_DIMENSIONS);
	s->npoints = 1;
	json_object_foreach((json_t *)(uintptr_t)n.value, name, value) {
		struct node	dim = { .up = &n, .name = name, .value = value };

		if ((st = add_dimension(s, &dim, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

/* --- conditions --- */

static struct value
value_of(const json_t *v)
{
	if (json_is_integer(v))
		return (struct value){ .kind = VALUE_INT, .i = json_integer_value(v) };
	if (json_is_real(v))
		return (struct value){ .kind = VALUE_REAL, .r = json_real_value(v) };
	return (struct value){ .kind = VALUE_TEXT,
	    .text = json_is_string(v) ? json_string_value(v) : "" };
}

static bool
look_up(void *arg, const char *name, struct value *out)
{
	const struct points	*s = arg;
	const json_t		*param = json_object_get(s->params, name);

	for (size_t i = 0; i < s->ndims; i++) {
		if (strcmp(s->dims[i].name, name) == 0) {
			*out = value_of(dimension_value(&s->dims[i]));
			return true;
		}
	}
	if (param != NULL)
		*out = value_of(param);
	return param != NULL;
}

static enum status
refuse_name(const struct points *s, const struct node *n, const char *name, struct fault *why)
{
	const char	*names[POINTS_MAX_DIMENSIONS + SPEC_MAX_PARAMS + 1], *param;
	size_t		 count = 0;
	json_t		*value;
	enum status	 st;

	for (size_t i = 0; i < s->ndims; i++)
		names[count++] = s->dims[i].name;
	json_object_foreach((json_t *)(uintptr_t)s->params, param, value)
		if (count < POINTS_MAX_DIMENSIONS + SPEC_MAX_PARAMS)
			names[count++] = param;
	names[count] = NULL;
	st = decode_refuse(n, NULL, why, "there is no \"%s\" in the space or the params", name);
	decode_hint(why, name, names);
	return st;
}

static enum status
add_condition(struct points *s, const struct node *n, struct fault *why)
{
	struct condition	*c = &s->conditions[s->nconditions];
	struct value		 ignored;
	const char		*name;
	enum status		 st;

	c->index = n->index;
	if ((st = spec_decode_expr(n, &c->expr, why)) != ST_OK)
		return st;
	s->nconditions++;
	for (size_t i = 0; (name = expr_name(c->expr, i)) != NULL; i++) {
		if (!look_up(s, name, &ignored))
			return refuse_name(s, n, name, why);
		for (size_t d = 0; d < s->ndims; d++)
			if (strcmp(s->dims[d].name, name) == 0)
				c->needs |= UINT64_C(1) << d;
	}
	return ST_OK;
}

static enum status
read_where(struct points *s, const struct node *root, struct fault *why)
{
	struct node	n = decode_member(root, "where");
	enum status	st = ST_OK;

	for (size_t i = 0; i < json_array_size(n.value) && st == ST_OK; i++) {
		struct node	condition = decode_element(&n, i);

		st = add_condition(s, &condition, why);
	}
	return st;
}

enum status
points_admits_known(struct points *s, uint64_t known, bool *wanted, struct fault *why)
{
	struct value	v;
	enum status	st;
	char		place[32];

	*wanted = true;
	for (size_t i = 0; i < s->nconditions && *wanted; i++) {
		if ((s->conditions[i].needs & ~known) != 0)
			continue;
		if ((st = expr_eval(s->conditions[i].expr, look_up, s, &v, why)) != ST_OK) {
			(void)snprintf(place, sizeof place, "where[%zu]", s->conditions[i].index);
			(void)fault_within(why, place);
			return points_blame(s, st, why);
		}
		*wanted = value_real(&v) != 0;
	}
	return ST_OK;
}

enum status
points_admits(struct points *s, bool *wanted, struct fault *why)
{
	return points_admits_known(s, UINT64_MAX, wanted, why);
}

/* --- the whole --- */

enum status
points_open(struct points **out, const json_t *sweep, struct fault *why)
{
	struct node	 root = { .value = sweep };
	struct points	*s = calloc(1, sizeof *s);
	enum status	 st;

	*out = NULL;
	if (s == NULL)
		return fault_set(why, ST_NOMEM, "space");
	s->spec = json_object_get(sweep, "spec");
	s->params = json_object_get(s->spec, "params");
	s->template = json_object_get(sweep, "template");
	s->meta = json_object_get(sweep, "meta");
	if ((st = read_dimensions(s, &root, why)) != ST_OK ||
	    (st = read_where(s, &root, why)) != ST_OK) {
		points_free(s);
		return st;
	}
	*out = s;
	return ST_OK;
}

void
points_free(struct points *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->nconditions; i++)
		expr_free(s->conditions[i].expr);
	free(s);
}

uint64_t
points_count(const struct points *s)
{
	return s->npoints;
}

size_t
points_dimensions(const struct points *s)
{
	return s->ndims;
}

const char *
points_name(const struct points *s, size_t dimension)
{
	return s->dims[dimension].name;
}

size_t
points_values(const struct points *s, size_t dimension)
{
	return s->dims[dimension].n;
}

const json_t *
points_value(const struct points *s, size_t dimension, size_t at)
{
	return json_array_get(s->dims[dimension].values, at);
}

bool
points_is_cell(const struct points *s, size_t dimension)
{
	const enum target	t = s->dims[dimension].target;

	return t == TARGET_PARAM || t == TARGET_SPEC;
}

void
points_next(struct points *s)
{
	for (size_t i = s->ndims; i-- > 0; s->dims[i].at = 0)
		if (++s->dims[i].at < s->dims[i].n)
			return;
}

void
points_move(struct points *s, const size_t *at)
{
	for (size_t i = 0; i < s->ndims; i++)
		s->dims[i].at = at[i];
}

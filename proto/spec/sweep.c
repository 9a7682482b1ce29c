/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

enum { MAX_DIMENSIONS = 64, MAX_CONDITIONS = 256 };

/* What a value of a dimension becomes. */
enum target { TARGET_MEMBER, TARGET_PARAM, TARGET_DEFINE };

struct dimension {
	const char	*name;		/* borrowed from the document, as all JSON here */
	const json_t	*values;
	size_t		 n, at;		/* values; the one of the point we are at */
	enum target	 target;
};

struct condition {
	struct expr	*expr;		/* owned */
	size_t		 index;		/* in `where` */
};

struct sweep {
	char			*name, *key;	/* owned; of the key NULL or "": none */
	const json_t		*spec, *params, *variants, *template, *space, *where, *meta;
	json_t			*common;	/* owned: job-level members for every job */
	struct dimension	 dims[MAX_DIMENSIONS];
	size_t			 ndims, npoints;
	struct condition	 conditions[MAX_CONDITIONS];
	size_t			 nconditions;
	sweep_each_fn		*each;
	void			*arg;
};

/* --- reading the document --- */

static enum status
get_object(void *out, const struct node *n, struct fault *why)
{
	const json_t	**object = out;

	*object = n->value;
	return decode_object(n, why);
}

static enum status
get_variants(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;
	size_t		 count = json_array_size(n->value);

	s->variants = n->value;
	if (count >= 1 && count <= SPEC_MAX_POINTS)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of 1 to %d variants", SPEC_MAX_POINTS);
}

static enum status
get_template(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;
	struct node	 defines = decode_member(n, "defines");
	enum status	 st;

	s->template = n->value;
	if ((st = decode_object(n, why)) != ST_OK || defines.value == NULL)
		return st;
	return decode_object(&defines, why);
}

static enum status
get_where(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;

	s->where = n->value;
	if (json_is_array(n->value) && json_array_size(n->value) <= MAX_CONDITIONS)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of at most %d expressions",
	    MAX_CONDITIONS);
}

static enum status
keep_for_jobs(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;

	if (json_object_set(s->common, n->name, (json_t *)(uintptr_t)n->value) == -1)
		return fault_set(why, ST_NOMEM, "sweep");
	return ST_OK;
}

/* Members of a variant, of the space and of the spec are looked at when they make a job. */
#define ROW(member, ...) SHAPE_ROW(struct sweep, member, __VA_ARGS__)
static const struct shape_row	variant_row = { .kind = SHAPE_OBJECT, .of = &variant_shape };
static const struct shape_row	values_row = { .kind = SHAPE_OWN, .forms = FORM_LIST, .least = 1 };
static const struct shape_row	condition_row = { .kind = SHAPE_OWN, SPEC_EXPRESSION };
static const struct shape_row	sweep_rows[] = {
	ROW(name, SHAPE_LABEL, .least = 1, .most = SPEC_MAX_NAME, .required = true),
	ROW(spec, SHAPE_OWN_PART, .get = get_object, .of = &spec_shape, .required = true),
	ROW(variants, SHAPE_OWN, .get = get_variants, .forms = FORM_LIST, .least = 1,
	    .most = SPEC_MAX_POINTS, .each = &variant_row),
	ROW(template, SHAPE_OWN, .get = get_template, .of = &variant_shape),
	ROW(space, SHAPE_OWN_PART, .get = get_object, .forms = FORM_MAP, .least = 1,
	    .most = MAX_DIMENSIONS, .each = &values_row),
	ROW(where, SHAPE_OWN, .get = get_where, .forms = FORM_LIST, .most = MAX_CONDITIONS,
	    .each = &condition_row),
	ROW(meta, SHAPE_OWN_PART, .get = get_object, .forms = FORM_MAP),
	ROW(key, SHAPE_LABEL, .most = SPEC_MAX_COMMON_KEY),
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &job_common_shape, .get = keep_for_jobs),
};
const struct shape		sweep_shape = SHAPE_OF(struct sweep, sweep_rows);

static enum status
check_form(const struct sweep *s, const struct node *n, struct fault *why)
{
	const char	*missing;
	enum status	 st;

	if (s->variants != NULL && (s->template != NULL || s->space != NULL || s->where != NULL)) {
		const char	*extra = s->template != NULL ? "template" :
				    s->space != NULL ? "space" : "where";

		st = decode_refuse(n, extra, why, "does not go with variants");
		fault_hint(why, "list the variants, or give a template and its space");
		return st;
	}
	if (s->variants != NULL || (s->template != NULL && s->space != NULL))
		return ST_OK;
	missing = s->template != NULL ? "space" : s->space != NULL ? "template" : "variants";
	st = decode_refuse(n, missing, why, "is missing");
	fault_hint(why, "a sweep has variants, or a template and its space");
	return st;
}

/* --- dimensions --- */

/*
 * Params and macros are checked here, where their place is known; most of variants' members when
 * the job is decoded.
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
	} else if (strcmp(d->name, "defines") == 0) {	/* other dimensions may be added to it */
		st = decode_object(n, why);
	}
	/* The same words at this place. */
	if (st == ST_BAD_SPEC && why != NULL && d->target != TARGET_MEMBER) {
		memcpy(hint, why->hint, sizeof hint);
		(void)decode_refuse(n, NULL, why, "%s", why->text);
		fault_hint(why, "%s", hint);
	}
	return st;
}

static enum status
add_dimension(struct sweep *s, const struct node *n, struct fault *why)
{
	struct dimension	*d = &s->dims[s->ndims];
	enum status		 st;

	*d = (struct dimension){ .name = n->name, .values = n->value,
	    .n = json_array_size(n->value) };
	if (d->n == 0)
		return decode_refuse(n, NULL, why, "must be an array of at least one value");
	if (shape_row(&variant_shape, d->name) != NULL)
		d->target = TARGET_MEMBER;
	else
		d->target = json_object_get(s->params, d->name) != NULL ? TARGET_PARAM :
		    TARGET_DEFINE;
	if (d->target == TARGET_DEFINE && (st = name_check_define(d->name, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	for (size_t i = 0; i < d->n; i++) {
		struct node	value = decode_element(n, i);

		if ((st = check_value(d, &value, why)) != ST_OK)
			return st;
	}
	if (__builtin_mul_overflow(s->npoints, d->n, &s->npoints) || s->npoints > SPEC_MAX_POINTS)
		return decode_refuse(n->up, NULL, why, "has more than %d points", SPEC_MAX_POINTS);
	s->ndims++;
	return ST_OK;
}

static enum status
read_space(struct sweep *s, const struct node *root, struct fault *why)
{
	struct node	 n = decode_member(root, "space");
	size_t		 count = json_object_size(n.value);
	const char	*name;
	json_t		*value;
	enum status	 st;

	if (count < 1 || count > MAX_DIMENSIONS)
		return decode_refuse(&n, NULL, why, "must have 1 to %d members", MAX_DIMENSIONS);
	s->npoints = 1;
	json_object_foreach((json_t *)n.value, name, value) {
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

static const json_t *
current(const struct dimension *d)
{
	return json_array_get(d->values, d->at);
}

static bool
look_up(void *arg, const char *name, struct value *out)
{
	const struct sweep	*s = arg;
	const json_t		*param = json_object_get(s->params, name);

	for (size_t i = 0; i < s->ndims; i++) {
		if (strcmp(s->dims[i].name, name) == 0) {
			*out = value_of(current(&s->dims[i]));
			return true;
		}
	}
	if (param != NULL)
		*out = value_of(param);
	return param != NULL;
}

static enum status
refuse_name(const struct sweep *s, const struct node *n, const char *name, struct fault *why)
{
	const char	*names[MAX_DIMENSIONS + SPEC_MAX_PARAMS + 1], *param;
	size_t		 count = 0;
	json_t		*value;
	enum status	 st;

	for (size_t i = 0; i < s->ndims; i++)
		names[count++] = s->dims[i].name;
	json_object_foreach((json_t *)s->params, param, value)
		if (count < MAX_DIMENSIONS + SPEC_MAX_PARAMS)
			names[count++] = param;
	names[count] = NULL;
	st = decode_refuse(n, NULL, why, "there is no \"%s\" in the space or the params", name);
	decode_hint(why, name, names);
	return st;
}

static enum status
add_condition(struct sweep *s, const struct node *n, struct fault *why)
{
	struct condition	*c = &s->conditions[s->nconditions];
	struct value		 ignored;
	const char		*name;
	enum status		 st;

	c->index = n->index;
	if ((st = spec_decode_expr(n, &c->expr, why)) != ST_OK)
		return st;
	s->nconditions++;
	for (size_t i = 0; (name = expr_name(c->expr, i)) != NULL; i++)
		if (!look_up(s, name, &ignored))
			return refuse_name(s, n, name, why);
	return ST_OK;
}

static enum status
read_where(struct sweep *s, const struct node *root, struct fault *why)
{
	struct node	n = decode_member(root, "where");
	enum status	st = ST_OK;

	for (size_t i = 0; i < json_array_size(n.value) && st == ST_OK; i++) {
		struct node	condition = decode_element(&n, i);

		st = add_condition(s, &condition, why);
	}
	return st;
}

/* --- a point's words: "UNROLL=4 flags=-O3,-mavx2" --- */

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
	const json_t	*v = current(d), *item;
	char		 number[48];
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
	} else {
		add_words(w, "#%zu", d->at);
	}
}

static void
add_point(struct words *w, const struct sweep *s)
{
	for (size_t i = 0; i < s->ndims; i++) {
		if (strcmp(s->dims[i].name, "name") == 0)
			continue;
		add_words(w, "%s%s=", w->length > 0 ? " " : "", s->dims[i].name);
		add_value(w, &s->dims[i]);
	}
}

/* --- jobs: each function returns a new reference; NULL: out of memory --- */

static json_t *
copy_or_empty(const json_t *object)
{
	return object != NULL ? json_copy((json_t *)object) : json_object();
}

/* What the dimensions of one target say, over `base`. */
static json_t *
overlay(const struct sweep *s, enum target target, const json_t *base)
{
	json_t	*o = copy_or_empty(base);

	for (size_t i = 0; i < s->ndims && o != NULL; i++) {
		if (s->dims[i].target != target)
			continue;
		if (json_object_set(o, s->dims[i].name, (json_t *)current(&s->dims[i])) == -1) {
			json_decref(o);
			return NULL;
		}
	}
	return o;
}

static bool
has_target(const struct sweep *s, enum target target)
{
	for (size_t i = 0; i < s->ndims; i++)
		if (s->dims[i].target == target)
			return true;
	return false;
}

static json_t *
point_variant(const struct sweep *s)
{
	json_t		*v = overlay(s, TARGET_MEMBER, s->template);
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
		    overlay(s, TARGET_DEFINE, json_object_get(v, "defines"))) == 0;
	if (ok)
		return v;
	json_decref(v);
	return NULL;
}

static json_t *
point_spec(const struct sweep *s)
{
	json_t	*spec;

	if (!has_target(s, TARGET_PARAM))
		return json_incref((json_t *)s->spec);
	spec = json_copy((json_t *)s->spec);
	if (spec != NULL &&
	    json_object_set_new(spec, "params", overlay(s, TARGET_PARAM, s->params)) == 0)
		return spec;
	json_decref(spec);
	return NULL;
}

static json_t *
point_meta(const struct sweep *s)
{
	json_t	*meta = copy_or_empty(s->meta);

	for (size_t i = 0; i < s->ndims && meta != NULL; i++) {
		if (json_object_set(meta, s->dims[i].name, (json_t *)current(&s->dims[i])) == -1) {
			json_decref(meta);
			return NULL;
		}
	}
	return meta;
}

/* Takes variant, spec and meta. */
static enum status
emit(const struct sweep *s, size_t point, json_t *variant, json_t *spec, json_t *meta,
    struct fault *why)
{
	json_t	*job = json_copy(s->common);
	bool	 ok = true;

	ok &= json_object_set_new(job, "variant", variant) == 0;
	ok &= json_object_set_new(job, "spec", spec) == 0;
	ok &= json_object_set_new(job, "meta", meta) == 0;
	if (s->key != NULL && s->key[0] != '\0')
		ok &= json_object_set_new(job, "key", json_sprintf("%s#%zu", s->key, point)) == 0;
	if (ok)
		return s->each(s->arg, job, why);
	json_decref(job);
	return fault_set(why, ST_NOMEM, "sweep");
}

/* --- faults of a job, said in the sweep's own terms --- */

static enum status
blame_variant(size_t index, enum status st, struct fault *why)
{
	char	place[40];

	(void)snprintf(place, sizeof place, "variants[%zu]", index);
	(void)fault_rename(why, "variant", place);
	return st;
}

static enum status
blame_point(const struct sweep *s, enum status st, struct fault *why)
{
	static const char *const	parents[] = {
		[TARGET_MEMBER] = "variant", [TARGET_PARAM] = "spec.params",
		[TARGET_DEFINE] = "variant.defines",
	};
	struct words			w = { .is_full = false };
	char				from[64 + NAME_MAX_BYTES], to[64 + NAME_MAX_BYTES];
	size_t				length;
	bool				renamed = false;

	if (why == NULL || st != ST_BAD_SPEC)
		return st;
	for (size_t i = 0; i < s->ndims && !renamed; i++) {
		(void)snprintf(from, sizeof from, "%s.%s", parents[s->dims[i].target],
		    s->dims[i].name);
		(void)snprintf(to, sizeof to, "space.%s[%zu]", s->dims[i].name, s->dims[i].at);
		renamed = fault_rename(why, from, to);
	}
	if (!renamed)
		(void)fault_rename(why, "variant", "template");
	add_point(&w, s);
	length = strlen(why->text);
	(void)snprintf(why->text + length, sizeof why->text - length, ", at the point %s", w.text);
	return st;
}

/* --- walking --- */

static enum status
check_point(struct sweep *s, bool *wanted, struct fault *why)
{
	struct value	v;
	enum status	st;
	char		place[32];

	*wanted = true;
	for (size_t i = 0; i < s->nconditions && *wanted; i++) {
		if ((st = expr_eval(s->conditions[i].expr, look_up, s, &v, why)) != ST_OK) {
			(void)snprintf(place, sizeof place, "where[%zu]", s->conditions[i].index);
			(void)fault_within(why, place);
			return blame_point(s, st, why);
		}
		*wanted = value_real(&v) != 0;
	}
	return ST_OK;
}

/* The last dimension runs fastest. */
static void
next_point(struct sweep *s)
{
	for (size_t i = s->ndims; i-- > 0; s->dims[i].at = 0)
		if (++s->dims[i].at < s->dims[i].n)
			return;
}

static enum status
walk_space(struct sweep *s, const struct node *root, struct fault *why)
{
	size_t		n = 0;
	bool		wanted;
	enum status	st;

	if ((st = read_space(s, root, why)) != ST_OK || (st = read_where(s, root, why)) != ST_OK)
		return st;
	for (size_t point = 0; point < s->npoints; point++, next_point(s)) {
		if ((st = check_point(s, &wanted, why)) != ST_OK)
			return st;
		if (!wanted)
			continue;
		st = emit(s, point, point_variant(s), point_spec(s), point_meta(s), why);
		if (st != ST_OK)
			return blame_point(s, st, why);
		n++;
	}
	if (n > 0)
		return ST_OK;
	return decode_refuse(root, "where", why, "leaves none of the %zu points", s->npoints);
}

static enum status
walk_variants(struct sweep *s, struct fault *why)
{
	const json_t	*variant;
	size_t		 i;
	enum status	 st;

	json_array_foreach(s->variants, i, variant) {
		st = emit(s, i, json_incref((json_t *)variant), point_spec(s),
		    copy_or_empty(s->meta), why);
		if (st != ST_OK)
			return blame_variant(i, st, why);
	}
	return ST_OK;
}

static enum status
read_document(struct sweep *s, const struct node *root, struct fault *why)
{
	enum status	st;

	if ((st = shape_get(&sweep_shape, s, root, SHAPE_WRITTEN, why)) != ST_OK)
		return st;
	s->params = json_object_get(s->spec, "params");
	return check_form(s, root, why);
}

static void
sweep_free(struct sweep *s)
{
	for (size_t i = 0; i < s->nconditions; i++)
		expr_free(s->conditions[i].expr);
	json_decref(s->common);
	free(s->name);
	free(s->key);
	free(s);
}

enum status
sweep_expand(const json_t *doc, sweep_each_fn *each, void *arg, struct fault *why)
{
	struct sweep	*s = calloc(1, sizeof *s);
	struct node	 root = { .value = doc };
	enum status	 st;

	if (s == NULL || (s->common = json_object()) == NULL) {
		free(s);
		return fault_set(why, ST_NOMEM, "sweep");
	}
	s->each = each;
	s->arg = arg;
	if ((st = read_document(s, &root, why)) == ST_OK)
		st = s->variants != NULL ? walk_variants(s, why) : walk_space(s, &root, why);
	sweep_free(s);
	return st;
}

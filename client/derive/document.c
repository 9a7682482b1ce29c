/* SPDX-License-Identifier: Apache-2.0 */
/* What is derived → a spec; what is guessed in it → meta.guesses. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client/derive/derived.h"
#include "client/import/check.h"
#include "proto/base/name.h"

enum { ROUTINE_BYTES = PROTOTYPE_MAX_BYTES, WHY_BYTES = 200, MEMBER_BYTES = 192 };

struct making {
	struct derived	*d;
	json_t		*spec, *params, *args, *guesses;	/* owned, but args and params */
	json_int_t	 size;					/* of a param, by default */
};

/* ---- guesses ---- */

static void __attribute__((format(printf, 4, 5)))
guess(struct making *m, const struct derived_param *p, const char *what, const char *fmt, ...)
{
	char	 why[WHY_BYTES], member[MEMBER_BYTES];
	json_t	*value = json_object_get(m->args, p->name), *one;
	va_list	 ap;

	va_start(ap, fmt);
	(void)vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	(void)snprintf(member, sizeof member, "args.%s%s%s", p->name, what[0] != '\0' ? "." : "",
	    what);
	if (what[0] != '\0')
		value = json_object_get(value, what);
	one = json_pack("{s:s, s:O?, s:s}", "member", member, "value", value, "why", why);
	if (p->line > 0)
		(void)json_object_set_new(one, "line", json_integer(p->line));
	if (p->column > 0)
		(void)json_object_set_new(one, "column", json_integer(p->column));
	(void)json_array_append_new(m->guesses, one);
}

static void
guess_flops(struct making *m)
{
	json_t	*one = json_pack("{s:s, s:O?, s:s}", "member", "flops", "value",
		    json_object_get(m->spec, "flops"), "why", m->d->has_slow_calls ?
		    "counted in its loops; exp and the like count as one" :
		    "counted in its loops");

	(void)json_object_set_new(one, "line", json_integer(m->d->line));
	(void)json_object_set_new(one, "column", json_integer(m->d->column));
	(void)json_array_append_new(m->guesses, one);
}

static void
guess_param(struct making *m, const struct derived_param *p, const char *name, const char *why)
{
	char	member[MEMBER_BYTES];

	(void)snprintf(member, sizeof member, "params.%s", name);
	(void)json_array_append_new(m->guesses, json_pack("{s:s, s:O?, s:s, s:i, s:i}", "member",
	    member, "value", json_object_get(m->params, name), "why", why, "line", p->line,
	    "column", p->column));
}

/* ---- names ---- */

static bool
is_integer(const struct derived_param *p)
{
	enum ctype	type;

	return ctype_parse(&type, p->type, NULL) == ST_OK &&
	    (ctype_class(type) == 'i' || ctype_class(type) == 'u');
}

static bool
has_name(const struct derived_param *p, const char *name)
{
	for (size_t k = 0; k < p->ndims; k++)
		for (size_t e = 0; e < p->dims[k].n; e++)
			if (poly_part(p->dims[k].extents[e], name, true).n > 0)
				return true;
	for (size_t k = 0; k < p->nlengths; k++)
		if (poly_part(p->lengths[k], name, true).n > 0)
			return true;
	return false;
}

static bool
is_in_extents(const struct derived *d, const char *name)
{
	for (size_t i = 0; i < d->n; i++)
		if (has_name(&d->params[i], name))
			return true;
	return false;
}

static bool
is_in_flops(const struct derived *d, const char *name)
{
	return d->flops.is_known && (poly_part(d->flops, name, true).n > 0 ||
	    !poly_coefficient(d->flops, name, 0).is_known);
}

/* What is in parentheses has no name replaced. */
static void
rename_in_flops(struct derived *d, const char *name, struct poly to)
{
	if (!poly_coefficient(d->flops, name, 0).is_known)
		d->flops = poly_unknown();
	d->flops = poly_with(d->flops, name, to);
}

/* A name that no param may have gets a _. */
static void
rename_in_extents(struct derived *d, const char *name, const char *to)
{
	for (size_t i = 0; i < d->n; i++) {
		struct derived_param	*p = &d->params[i];

		for (size_t k = 0; k < p->ndims; k++)
			for (size_t e = 0; e < p->dims[k].n; e++)
				p->dims[k].extents[e] = poly_with(p->dims[k].extents[e], name,
				    poly_name(to));
		for (size_t k = 0; k < p->nlengths; k++)
			p->lengths[k] = poly_with(p->lengths[k], name, poly_name(to));
		if (p->has_stride)
			p->stride = poly_with(p->stride, name, poly_name(to));
	}
	rename_in_flops(d, name, poly_name(to));
}

/* The param that an integer of the routine becomes.  Its text may be used in expressions. */
static const char *
add_param(struct making *m, const struct derived_param *p, json_int_t value, const char *why)
{
	static char	made[PROTOTYPE_NAME_MAX + 2];

	(void)snprintf(made, sizeof made, "%s", p->name);
	if (name_check_param(made, NULL) != ST_OK) {
		(void)snprintf(made, sizeof made, "P%s_", p->name + strspn(p->name, "_"));
		rename_in_extents(m->d, p->name, made);
	}
	if (json_object_get(m->params, made) == NULL) {
		(void)json_object_set_new(m->params, made, json_integer(value));
		guess_param(m, p, made, why);
	}
	return made;
}

/* ---- sizes ---- */

static unsigned
degree_of(const struct poly *p)
{
	unsigned	most = 0;

	for (size_t i = 0; i < p->n; i++) {
		unsigned	one = p->terms[i].product[0] != '\0';

		for (const char *c = p->terms[i].product; *c != '\0'; c++)
			one += *c == '*';
		most = one > most ? one : most;
	}
	return most;
}

/* Arrays of more dimensions are given smaller ones. */
static json_int_t
default_size(const struct derived *d)
{
	static const json_int_t	sizes[] = { 1000, 1000, 100, 40, 20, 10 };
	unsigned		most = 0;

	for (size_t i = 0; i < d->n; i++) {
		unsigned	all = 0;

		for (size_t k = 0; k < d->params[i].ndims; k++)
			all += d->params[i].dims[k].n > 0 ?
			    degree_of(&d->params[i].dims[k].extents[0]) : 0;
		most = all > most ? all : most;
	}
	return sizes[most < 5 ? most : 5];
}

static json_t *
as_json(const struct poly *p)
{
	char		text[POLY_TEXT_BYTES];
	long long	number;

	if (poly_is_number(p, &number))
		return json_integer(number);
	poly_text(p, text);
	return json_string(text);
}

/* ---- scalars ---- */

/* Some size has it subtracted from others. */
static bool
is_subtracted(const struct derived *d, const char *name)
{
	for (size_t i = 0; i < d->n; i++)
		for (size_t k = 0; k < d->params[i].ndims; k++)
			for (size_t e = 0; e < d->params[i].dims[k].n; e++) {
				const struct poly	of = poly_coefficient(
							    d->params[i].dims[k].extents[e], name,
							    1);
				long long		factor;

				if (poly_is_number(&of, &factor) && factor < 0)
					return true;
			}
	return false;
}

static json_int_t
size_of(const struct making *m, const struct derived_param *p)
{
	return is_subtracted(m->d, p->name) ? (m->size + 9) / 10 : m->size;
}

static void
put_scalar(struct making *m, struct derived_param *p)
{
	const char	*why = NULL;

	if (is_integer(p) && p->has_stride && p->stride.is_known) {
		(void)json_object_set_new(m->args, p->name, as_json(&p->stride));
		rename_in_flops(m->d, p->name, p->stride);
		guess(m, p, "", "a factor of indices, as much as passes the rest of them");
		return;
	}
	if (is_integer(p) && (p->is_bound || is_in_flops(m->d, p->name)))
		why = "it bounds a loop";
	else if (is_integer(p) && is_in_extents(m->d, p->name))
		why = "it is in indices";
	else if (is_integer(p) && !m->d->has_body)
		why = "a binary does not show what it is for";
	if (is_integer(p)) {
		const char	*name = why != NULL ? add_param(m, p, size_of(m, p), why) :
				    add_param(m, p, 1, "its value is not known");

		(void)json_object_set_new(m->args, p->name, json_string(name));
		return;
	}
	(void)json_object_set_new(m->args, p->name, json_real(1.5));
	guess(m, p, "", "its value is not known");
}

/* ---- operands ---- */

/* *n in bounds or indices, as Fortran passes its scalars. */
static bool
is_by_address(const struct making *m, const struct derived_param *p)
{
	long long	one;

	return is_integer(p) && !p->is_written && p->ndims == 1 && p->dims[0].n == 1 &&
	    poly_is_number(&p->dims[0].extents[0], &one) && one == 1 &&
	    (p->is_bound || is_in_extents(m->d, p->name) || is_in_flops(m->d, p->name));
}

static void
put_by_address(struct making *m, struct derived_param *p)
{
	json_t	*value;

	if (p->has_stride && p->stride.is_known) {
		value = as_json(&p->stride);
		rename_in_flops(m->d, p->name, p->stride);
	} else {
		value = json_string(add_param(m, p, m->size,
		    "it bounds a loop, or is in indices"));
	}
	(void)json_object_set_new(m->args, p->name, json_pack("{s:[i], s:{s:o}}", "dims", 1,
	    "init", "value", value));
	guess(m, p, "init", "it is used as a size");
}

/* The only integer of a binary's routine, or SIZE. */
static json_t *
unknown_size(struct making *m, struct derived_param *p)
{
	for (size_t i = 0; !m->d->has_body && i < m->d->n; i++)
		if (is_integer(&m->d->params[i]) && !m->d->params[i].is_pointer)
			return json_string(add_param(m, &m->d->params[i], m->size,
			    "the first integer"));
	if (json_object_get(m->params, "SIZE") == NULL) {
		(void)json_object_set_new(m->params, "SIZE", json_integer(m->size));
		guess_param(m, p, "SIZE", "no size is known");
	}
	return json_string("SIZE");
}

/* Of one dimension, by its indices. */
static struct poly
largest_extent(const struct derived_dim *d)
{
	struct poly	most = poly_unknown();

	for (size_t e = 0; e < d->n; e++)
		most = e == 0 ? d->extents[0] : poly_larger(most, d->extents[e]);
	return most;
}

/* The type has the lengths of rows, indices only what is used of them. */
static json_t *
all_dims(struct making *m, struct derived_param *p, bool *is_known)
{
	const size_t	least = p->is_rows ? 2 : 1;
	const size_t	n = p->ndims == 1 || p->nlengths < p->ndims ? p->ndims : p->nlengths + 1;
	json_t		*dims = json_array();

	*is_known = p->ndims >= least;
	for (size_t k = 0; k < n; k++) {
		struct poly	extent = k < p->ndims ? largest_extent(&p->dims[k]) :
				    poly_unknown();

		if (n > 1 && k > 0 && k <= p->nlengths && p->lengths[k - 1].is_known)
			extent = p->lengths[k - 1];
		*is_known &= extent.is_known;
		(void)json_array_append_new(dims, extent.is_known ? as_json(&extent) :
		    unknown_size(m, p));
	}
	while (json_array_size(dims) < least)
		(void)json_array_append_new(dims, unknown_size(m, p));
	return dims;
}

static void
put_access(struct making *m, const struct derived_param *p, json_t *operand)
{
	if (p->is_const || (!m->d->has_body) || p->is_escaping)
		return;
	(void)json_object_set_new(operand, "access", json_string(!p->is_written ? "in" :
	    p->is_read ? "inout" : "out"));
	guess(m, p, "access", "%s", !p->is_written ? "no element is assigned" : p->is_read ?
	    "elements are read and assigned" : "elements are assigned, and none is read");
}

static void
put_operand(struct making *m, struct derived_param *p)
{
	json_t	*operand = json_object();
	bool	 is_known;

	(void)json_object_set_new(m->args, p->name, operand);
	(void)json_object_set_new(operand, "dims", all_dims(m, p, &is_known));
	guess(m, p, "dims", "%s", is_known ? "the highest index in its loops" : m->d->has_body ?
	    "no index of it is understood" : "a binary does not show how far it is indexed");
	if (strcmp(p->type, "void") == 0) {
		(void)json_object_set_new(operand, "type", json_string("char"));
		guess(m, p, "type", "void * does not say it");
	}
	if (p->record.members != NULL)
		(void)json_object_set_new(operand, "type", json_pack("{s:O}", "struct",
		    p->record.members));
	(void)json_object_set_new(operand, "init", json_string(p->is_index && is_integer(p) ?
	    "permutation" : "random"));
	guess(m, p, "init", "%s", p->is_index ? "its elements are indices" :
	    "its contents are not known");
	put_access(m, p, operand);
	if (!p->is_const && (!m->d->has_body || p->is_escaping))
		guess(m, p, "access", "it is not const: taken for inout");
}

/* ---- the whole ---- */

static void
put_routine(struct making *m)
{
	struct derived	*d = m->d;
	char		 text[ROUTINE_BYTES + 1];
	int		 n = snprintf(text, sizeof text, "%s %s(%s", d->result, d->name,
			    d->n == 0 ? "void" : "");

	for (size_t i = 0; i < d->n && n < ROUTINE_BYTES; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%s%s %s%s", i > 0 ? ", " : "",
		    d->params[i].is_const ? "const " : "", d->params[i].type,
		    !d->params[i].is_pointer ? "" : !d->params[i].is_rows ? "*" :
		    d->params[i].is_const ? "*const *" : "**", d->params[i].name);
	if (n < ROUTINE_BYTES)
		(void)strcat(text, ")");
	(void)json_object_set_new(m->spec, "routine", json_string(text));
}

static bool
has_outputs(const struct derived *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->params[i].is_pointer && !d->params[i].is_const &&
		    (d->params[i].is_written || d->params[i].is_escaping))
			return true;
	return strcmp(d->result, "void") != 0;
}

static void
put_args(struct making *m)
{
	/* integers first: they become the params of sizes */
	for (int pass = 0; pass <= 1; pass++) {
		for (size_t i = 0; i < m->d->n; i++) {
			struct derived_param	*p = &m->d->params[i];
			bool			 is_scalar = !p->is_pointer ||
						    is_by_address(m, p);

			if (is_scalar != (pass == 0))
				continue;
			if (!p->is_pointer)
				put_scalar(m, p);
			else if (is_scalar)
				put_by_address(m, p);
			else
				put_operand(m, p);
		}
	}
}

static void
put_flops(struct making *m)
{
	char	text[POLY_TEXT_BYTES], whole[POLY_TEXT_BYTES + 32];

	if (!m->d->flops.is_known)
		return;
	poly_text(&m->d->flops, text);
	(void)snprintf(whole, sizeof whole, m->d->flops_divisor > 1 ? "(%s)/%lld" : "%s", text,
	    m->d->flops_divisor);
	(void)json_object_set_new(m->spec, "flops", json_string(whole));
	guess_flops(m);
}

static const char *
first_place(void *arg, struct span argument)
{
	(void)argument;
	return arg;
}

void
derived_release(struct derived *d)
{
	for (size_t i = 0; i < d->n; i++)
		record_release(&d->params[i].record);
}

enum status
derived_document(struct derived *d, json_t **out, struct fault *why)
{
	struct making		m = { .d = d, .spec = json_object(), .guesses = json_array() };
	const struct foreign	f = { .path = d->path, .text = "" };
	enum status		st;

	m.params = json_object();
	m.args = json_object();
	m.size = default_size(d);
	put_routine(&m);
	(void)json_object_set_new(m.spec, "params", m.params);
	(void)json_object_set_new(m.spec, "args", m.args);
	put_args(&m);
	put_flops(&m);
	if (d->reference != NULL && has_outputs(d))
		(void)json_object_set_new(m.spec, "check", json_pack("{s:{s:s, s:s}}",
		    "reference", "language", "c", "source", d->reference));
	st = check_spec(&f, m.spec, first_place, (void *)(uintptr_t)f.text, why);
	*out = st == ST_OK ? json_pack("{s:O, s:{s:O}}", "spec", m.spec, "meta", "guesses",
	    m.guesses) : NULL;
	json_decref(m.spec);
	json_decref(m.guesses);
	return st;
}

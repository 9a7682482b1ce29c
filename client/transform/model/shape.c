/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <isl/val.h>

#include "client/transform/model/shape.h"
#include "client/transform/tree/bounds.h"

/* ---- finding ---- */

struct finding {
	struct arena		*arena;
	const struct affine	*affine;
	struct shape		*shapes;
	size_t			 n;
};

static struct shape *
shape_for(struct finding *f, struct symbol *s)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->shapes[i].symbol == s)
			return &f->shapes[i];
	f->shapes = arena_grow(f->arena, f->shapes, f->n, sizeof *f->shapes);
	f->shapes[f->n] = (struct shape){ .symbol = s };
	return &f->shapes[f->n++];
}

static void
add_stride(struct shape *s, int64_t stride)
{
	size_t	at = 0;

	while (at < s->n && s->strides[at] > stride)
		at++;
	if (stride < 2 || s->n == SYMBOL_MAX_DIMS - 1 ||
	    (at < s->n && (s->strides[at] == stride || stride % s->strides[at] != 0)) ||
	    (at > 0 && s->strides[at - 1] % stride != 0))
		return;
	memmove(&s->strides[at + 1], &s->strides[at], (s->n - at) * sizeof s->strides[0]);
	s->strides[at] = stride;
	s->n++;
}

static bool
look_at(void *arg, struct term *t)
{
	struct finding	*f = arg;
	int64_t		 c;

	if (t->kind != TERM_INDEX || t->a[0]->kind != TERM_NAME || t->a[0]->symbol->ndims != 1)
		return true;
	for (size_t i = 0; i < f->affine->ncounters; i++)
		if (bounds_coefficient(t->a[1], f->affine->counters[i], &c))
			add_stride(shape_for(f, t->a[0]->symbol), c < 0 ? -c : c);
	return true;
}

size_t
shape_find(struct arena *a, const struct affine *f, struct node *root, struct shape **out)
{
	struct finding	all = { a, f, NULL, 0 };

	(void)node_visit_terms(root, look_at, &all);
	*out = all.shapes;
	return all.n;
}

const struct shape *
shape_of(const struct affine *f, const struct symbol *s)
{
	for (size_t i = 0; i < f->nshapes; i++)
		if (f->shapes[i].symbol == s && f->shapes[i].n > 0)
			return &f->shapes[i];
	return NULL;
}

/* ---- splitting ---- */

/* Sums of c * variable, one for each subscript; false: the term has other parts. */
static bool
split(struct arena *a, const struct affine *f, const struct shape *s, const struct term *t,
    struct term **parts)
{
	struct term	*rest = (struct term *)(uintptr_t)t;
	int64_t		 c, stride;

	for (size_t k = 0; k <= s->n; k++)
		parts[k] = term_int(a, 0);
	for (size_t i = 0; i < f->n; i++) {
		size_t	k = 0;

		if (!bounds_coefficient(t, f->loops[i], &c))
			return false;
		while (k < s->n && c % s->strides[k] != 0)
			k++;
		stride = k < s->n ? s->strides[k] : 1;
		if (c != 0)
			parts[k] = term_binary(a, "+", parts[k], term_times(a,
			    term_name(a, f->loops[i]), c / stride));
		rest = term_replace(a, rest, f->loops[i], term_int(a, 0));
	}
	if (rest->kind != TERM_INT)
		return false;
	c = rest->value;
	for (size_t k = 0; k <= s->n; k++) {
		stride = k < s->n ? s->strides[k] : 1;
		parts[k] = term_plus(a, parts[k], c / stride);
		c %= stride;
	}
	return true;
}

/* All but the first subscript lie within their rows. */
static bool
is_within(struct arena *a, const struct affine *f, const struct shape *s, isl_pw_aff *const *parts,
    isl_set *domain)
{
	isl_set	*in = isl_set_copy(domain);
	bool	 within;

	for (size_t k = 1; k <= s->n; k++) {
		int64_t	rows = s->strides[k - 1] / (k < s->n ? s->strides[k] : 1);

		in = isl_set_intersect(in, isl_pw_aff_nonneg_set(isl_pw_aff_copy(parts[k])));
		in = isl_set_intersect(in, isl_pw_aff_lt_set(isl_pw_aff_copy(parts[k]),
		    affine_term(a, f, term_int(a, rows))));
	}
	within = isl_set_is_subset(domain, in) == isl_bool_true;
	isl_set_free(in);
	return within;
}

static isl_val *
integer(const struct affine *f, int64_t v)
{
	return isl_val_int_from_si(f->ctx, (long)v);
}

/* By division: right for every subscript, and slow. */
static void
divide(const struct affine *f, const struct shape *s, isl_pw_aff *value, isl_pw_aff **out)
{
	for (size_t k = 0; k < s->n; k++) {
		out[k] = isl_pw_aff_floor(isl_pw_aff_scale_down_val(isl_pw_aff_copy(value),
		    integer(f, s->strides[k])));
		value = isl_pw_aff_mod_val(value, integer(f, s->strides[k]));
	}
	out[s->n] = value;
}

bool
shape_subscripts(struct arena *a, const struct affine *f, const struct shape *s,
    const struct term *t, isl_set *domain, isl_pw_aff **out)
{
	struct term	*parts[SYMBOL_MAX_DIMS];
	isl_pw_aff	*value = affine_term(a, f, t);

	if (value == NULL)
		return false;
	if (split(a, f, s, t, parts)) {
		for (size_t k = 0; k <= s->n; k++)
			out[k] = affine_term(a, f, parts[k]);
		if (is_within(a, f, s, out, domain)) {
			isl_pw_aff_free(value);
			return true;
		}
		for (size_t k = 0; k <= s->n; k++)
			isl_pw_aff_free(out[k]);
	}
	divide(f, s, value, out);
	return true;
}

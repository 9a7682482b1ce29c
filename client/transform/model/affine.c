/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <isl/local_space.h>
#include <isl/val.h>

#include "client/transform/model/affine.h"

static bool
is_among(struct symbol *const *symbols, size_t n, const struct symbol *s)
{
	for (size_t i = 0; i < n; i++)
		if (symbols[i] == s)
			return true;
	return false;
}

bool
affine_is_written(const struct affine *f, const struct symbol *s)
{
	return is_among(f->written, f->nwritten, s);
}

bool
affine_is_counter(const struct affine *f, const struct symbol *s)
{
	return is_among(f->counters, f->ncounters, s);
}

bool
affine_is_around(const struct affine *f, const struct symbol *s)
{
	return is_among(f->loops, f->n, s);
}

const char *
affine_param(struct arena *a, const struct affine *f, const struct term *t)
{
	const struct term	*of = t;
	const struct symbol	*s;

	if (t->kind == TERM_UNARY && strcmp(t->op, "*") == 0 && t->is_int)
		of = t->a[0];
	if (of->kind != TERM_NAME || affine_is_written(f, of->symbol) ||
	    affine_is_counter(f, of->symbol))
		return NULL;
	s = of->symbol;
	if (of == t ? !s->is_integer : !s->is_pointer || s->ndims != 1)
		return NULL;
	if (s->is_volatile)
		return NULL;
	return arena_format(a, "%s%s.%u", of == t ? "" : "*", s->name, s->at.offset);
}

isl_space *
affine_space(const struct affine *f)
{
	return isl_space_add_dims(isl_space_copy(f->params), isl_dim_set, (unsigned)f->n);
}

static isl_pw_aff *
constant(const struct affine *f, int64_t value)
{
	isl_local_space	*ls = isl_local_space_from_space(affine_space(f));

	return isl_pw_aff_from_aff(isl_aff_val_on_domain(ls,
	    isl_val_int_from_si(f->ctx, (long)value)));
}

static isl_pw_aff *
variable(const struct affine *f, enum isl_dim_type type, int at)
{
	isl_local_space	*ls = isl_local_space_from_space(affine_space(f));

	return isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, type, (unsigned)at));
}

static isl_pw_aff *
name(struct arena *a, const struct affine *f, const struct term *t)
{
	const char	*param;
	int		 at;

	for (size_t i = f->n; t->kind == TERM_NAME && i-- > 0;)
		if (f->loops[i] == t->symbol)
			return variable(f, isl_dim_set, (int)i);
	if (t->kind == TERM_NAME && t->symbol->init != NULL && t->symbol->is_integer &&
	    !affine_is_written(f, t->symbol))
		return affine_term(a, f, t->symbol->init);
	if ((param = affine_param(a, f, t)) == NULL)
		return NULL;
	at = isl_space_find_dim_by_name(f->params, isl_dim_param, param);
	return at >= 0 ? variable(f, isl_dim_param, at) : NULL;
}

static bool
is_constant(isl_pw_aff *p)
{
	return p != NULL && isl_pw_aff_is_cst(p) == isl_bool_true;
}

/* x op y; takes both. */
static isl_pw_aff *
combine(const char *op, isl_pw_aff *x, isl_pw_aff *y)
{
	if (x != NULL && y != NULL) {
		if (strcmp(op, "+") == 0)
			return isl_pw_aff_add(x, y);
		if (strcmp(op, "-") == 0)
			return isl_pw_aff_sub(x, y);
		if (strcmp(op, "*") == 0 && (is_constant(x) || is_constant(y)))
			return isl_pw_aff_mul(x, y);
		if (strcmp(op, "/") == 0 && is_constant(y))
			return isl_pw_aff_tdiv_q(x, y);
		if (strcmp(op, "%") == 0 && is_constant(y))
			return isl_pw_aff_tdiv_r(x, y);
	}
	isl_pw_aff_free(x);
	isl_pw_aff_free(y);
	return NULL;
}

static isl_pw_aff *
choice(struct arena *a, const struct affine *f, const struct term *t)
{
	isl_set		*when = affine_condition(a, f, t->a[0]);
	isl_pw_aff	*x = affine_term(a, f, t->a[1]), *y = affine_term(a, f, t->a[2]);

	if (when != NULL && x != NULL && y != NULL)
		return isl_pw_aff_cond(isl_set_indicator_function(when), x, y);
	isl_set_free(when);
	isl_pw_aff_free(x);
	isl_pw_aff_free(y);
	return NULL;
}

isl_pw_aff *
affine_term(struct arena *a, const struct affine *f, const struct term *t)
{
	isl_pw_aff	*x;

	switch (t->kind) {
	case TERM_INT:
		return constant(f, t->value);
	case TERM_NAME:
		return name(a, f, t);
	case TERM_CAST:
		return t->is_int && t->a[0]->is_int ? affine_term(a, f, t->a[0]) : NULL;
	case TERM_COND:
		return choice(a, f, t);
	case TERM_UNARY:
		if (strcmp(t->op, "*") == 0)
			return name(a, f, t);
		x = t->op[0] == '-' || t->op[0] == '+' ? affine_term(a, f, t->a[0]) : NULL;
		return t->op[0] == '-' && t->op[1] == '\0' && x != NULL ? isl_pw_aff_neg(x) : x;
	case TERM_BINARY:
		if (!t->is_int || term_is_assignment(t))
			return NULL;
		return combine(t->op, affine_term(a, f, t->a[0]), affine_term(a, f, t->a[1]));
	default:
		return NULL;
	}
}

/* ---- conditions ---- */

static isl_set *
compare(const char *op, isl_pw_aff *x, isl_pw_aff *y)
{
	static const struct {
		const char	*op;
		isl_set		*(*make)(isl_pw_aff *, isl_pw_aff *);
	} table[] = {
		{ "<", isl_pw_aff_lt_set }, { "<=", isl_pw_aff_le_set },
		{ ">", isl_pw_aff_gt_set }, { ">=", isl_pw_aff_ge_set },
		{ "==", isl_pw_aff_eq_set }, { "!=", isl_pw_aff_ne_set },
	};

	for (size_t i = 0; x != NULL && y != NULL && i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].op, op) == 0)
			return table[i].make(x, y);
	isl_pw_aff_free(x);
	isl_pw_aff_free(y);
	return NULL;
}

static isl_set *
join(const char *op, isl_set *x, isl_set *y)
{
	if (x != NULL && y != NULL)
		return op[0] == '&' ? isl_set_intersect(x, y) : isl_set_union(x, y);
	isl_set_free(x);
	isl_set_free(y);
	return NULL;
}

isl_set *
affine_condition(struct arena *a, const struct affine *f, const struct term *t)
{
	isl_set		*of;
	isl_pw_aff	*x;

	if (term_is(t, TERM_UNARY, "!"))
		return (of = affine_condition(a, f, t->a[0])) != NULL ?
		    isl_set_complement(of) : NULL;
	if (t->kind == TERM_BINARY && (strcmp(t->op, "&&") == 0 || strcmp(t->op, "||") == 0))
		return join(t->op, affine_condition(a, f, t->a[0]),
		    affine_condition(a, f, t->a[1]));
	if (t->kind == TERM_BINARY && t->is_int && t->a[0]->is_int && t->a[1]->is_int &&
	    strchr("<>=!", t->op[0]) != NULL && !term_is_assignment(t))
		return compare(t->op, affine_term(a, f, t->a[0]), affine_term(a, f, t->a[1]));
	x = t->is_int ? affine_term(a, f, t) : NULL;
	return x != NULL ? isl_pw_aff_non_zero_set(x) : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "proto/text/expr_parts.h"

/* Each step of an evaluation returns NULL or what is wrong. */

double
value_real(const struct value *v)
{
	return v->kind == VALUE_INT ? (double)v->i : v->kind == VALUE_REAL ? v->r : (double)NAN;
}

static bool
is_true(const struct value *v)
{
	return v->kind == VALUE_INT ? v->i != 0 : v->r != 0;
}

static void
set_int(struct value *v, int64_t i)
{
	v->kind = VALUE_INT;
	v->i = i;
}

static const char *
set_real(struct value *v, double r)
{
	v->kind = VALUE_REAL;
	v->r = r;
	return isfinite(r) ? NULL : "the result is not finite";
}

static const char *
apply_rounding(enum op op, struct value *v)
{
	double	r;

	if (v->kind == VALUE_INT)
		return NULL;
	r = op == OP_CEIL ? ceil(v->r) : floor(v->r);
	if (!(r >= -0x1p63 && r < 0x1p63))
		return "the rounded value does not fit 64 bits";
	set_int(v, (int64_t)r);
	return NULL;
}

static const char *
apply_unary(enum op op, struct value *v)
{
	switch (op) {
	case OP_NOT:
		set_int(v, !is_true(v));
		return NULL;
	case OP_LOG2:
		return set_real(v, log2(value_real(v)));
	case OP_NEGATE:
		if (v->kind == VALUE_REAL)
			return set_real(v, -v->r);
		return __builtin_sub_overflow(0, v->i, &v->i) ?
		    "the result does not fit 64 bits" : NULL;
	default:
		return apply_rounding(op, v);
	}
}

static const char *
divide_ints(enum op op, struct value *a, int64_t b)
{
	if (b == 0)
		return "division by zero";
	if (b == -1)		/* the one quotient that overflows; its remainder would trap */
		return op == OP_MODULO ? set_int(a, 0), NULL : apply_unary(OP_NEGATE, a);
	set_int(a, op == OP_MODULO ? a->i % b : a->i / b);
	return NULL;
}

static const char *
apply_to_ints(enum op op, struct value *a, int64_t b)
{
	bool	overflow = false;

	switch (op) {
	case OP_MULTIPLY:
		overflow = __builtin_mul_overflow(a->i, b, &a->i);
		break;
	case OP_ADD:
		overflow = __builtin_add_overflow(a->i, b, &a->i);
		break;
	case OP_SUBTRACT:
		overflow = __builtin_sub_overflow(a->i, b, &a->i);
		break;
	case OP_MIN:
		a->i = a->i < b ? a->i : b;
		break;
	case OP_MAX:
		a->i = a->i > b ? a->i : b;
		break;
	default:
		return divide_ints(op, a, b);
	}
	return overflow ? "the result does not fit 64 bits" : NULL;
}

static const char *
apply_to_reals(enum op op, struct value *v, double a, double b)
{
	switch (op) {
	case OP_MULTIPLY:
		return set_real(v, a * b);
	case OP_ADD:
		return set_real(v, a + b);
	case OP_SUBTRACT:
		return set_real(v, a - b);
	case OP_MIN:
		return set_real(v, a < b ? a : b);
	case OP_MAX:
		return set_real(v, a > b ? a : b);
	case OP_MODULO:
		return "% takes integers only";
	default:
		return b == 0 ? "division by zero" : set_real(v, a / b);
	}
}

/* -1, 0, 1: a below, equal to, above b. */
static int
compare(const struct value *a, const struct value *b)
{
	double	x = value_real(a), y = value_real(b);

	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return (a->i > b->i) - (a->i < b->i);
	return (x > y) - (x < y);
}

static bool
holds(enum op op, int order)
{
	switch (op) {
	case OP_LE:
		return order <= 0;
	case OP_GE:
		return order >= 0;
	case OP_LT:
		return order < 0;
	case OP_GT:
		return order > 0;
	case OP_EQ:
		return order == 0;
	default:
		return order != 0;
	}
}

static const char *
apply_binary(enum op op, struct value *a, const struct value *b)
{
	if (op == OP_AND || op == OP_OR) {	/* the left operand did not decide: OP_BETWEEN saw
						 * to that */
		set_int(a, is_true(b));
		return NULL;
	}
	if (op >= OP_LE) {
		set_int(a, holds(op, compare(a, b)));
		return NULL;
	}
	if (op == OP_POW)
		return set_real(a, pow(value_real(a), value_real(b)));
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return apply_to_ints(op, a, b->i);
	return apply_to_reals(op, a, value_real(a), value_real(b));
}

/* True: the left operand decides its && or ||, whose value it becomes. */
static bool
is_decided(enum op op, struct value *left)
{
	if ((op != OP_AND && op != OP_OR) || is_true(left) != (op == OP_OR))
		return false;
	set_int(left, op == OP_OR);
	return true;
}

static enum status
look_up(const struct expr *e, const struct term *t, expr_lookup_fn *lookup, void *arg,
    struct value *out, struct fault *why)
{
	const char	*name = e->names[t->name];

	if (!lookup(arg, name, out))
		return fault_set(why, ST_BAD_SPEC, "there is no \"%s\" to use in \"%.100s\"",
		    name, e->text);
	if (out->kind == VALUE_TEXT)
		return fault_set(why, ST_BAD_SPEC, "\"%s\" is text, not a number, in \"%.100s\"",
		    name, e->text);
	if (out->kind == VALUE_REAL && !isfinite(out->r))
		return fault_set(why, ST_BAD_SPEC, "\"%s\" is not finite in \"%.100s\"",
		    name, e->text);
	return ST_OK;
}

enum status
expr_eval(const struct expr *e, expr_lookup_fn *lookup, void *arg, struct value *out,
    struct fault *why)
{
	struct value	 stack[STACK_MAX], *next = stack;	/* the next free place */
	const char	*wrong = NULL;
	enum status	 st;

	for (size_t i = 0; i < e->nterms && wrong == NULL; i++) {
		const struct term	*t = &e->terms[i];

		if (t->op == OP_INT) {
			set_int(next++, t->i);
		} else if (t->op == OP_REAL) {
			wrong = set_real(next++, t->r);
		} else if (t->op == OP_NAME) {
			if ((st = look_up(e, t, lookup, arg, next++, why)) != ST_OK)
				return st;
		} else if (t->op == OP_BETWEEN) {
			if (is_decided(e->terms[t->owner].op, next - 1))
				i = t->owner;
		} else if (expr_ops[t->op].operands == 1) {
			wrong = apply_unary(t->op, next - 1);
		} else {
			next--;
			wrong = apply_binary(t->op, next - 1, next);
		}
	}
	if (wrong != NULL)
		return fault_set(why, ST_BAD_SPEC, "%s in \"%.100s\"", wrong, e->text);
	*out = stack[0];
	return ST_OK;
}

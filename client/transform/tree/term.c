/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/tree/term.h"

struct term *
term_new(struct arena *a, enum term_kind kind, size_t n)
{
	struct term	*t = arena_take(a, sizeof *t);

	t->kind = kind;
	t->n = n;
	t->a = n > 0 ? arena_take(a, n * sizeof(struct term *)) : NULL;
	return t;
}

struct term *
term_int(struct arena *a, int64_t value)
{
	struct term	*t = term_new(a, TERM_INT, 0);

	t->value = value;
	t->is_int = true;
	return t;
}

struct term *
term_name(struct arena *a, struct symbol *s)
{
	struct term	*t = term_new(a, TERM_NAME, 0);

	t->symbol = s;
	t->is_int = s->is_integer;
	t->is_unsigned = s->is_unsigned;
	return t;
}

struct term *
term_index(struct arena *a, struct term *base, struct term *subscript)
{
	struct term	*t = term_new(a, TERM_INDEX, 2);

	t->a[0] = base;
	t->a[1] = subscript;
	t->at = base->at;
	return t;
}

bool
term_is(const struct term *t, enum term_kind kind, const char *op)
{
	return t->kind == kind && strcmp(t->op, op) == 0;
}

bool
term_is_int(const struct term *t, int64_t value)
{
	return t->kind == TERM_INT && t->value == value;
}

bool
term_is_assignment(const struct term *t)
{
	size_t	bytes;

	if (t->kind == TERM_POSTFIX)
		return true;
	if (t->kind == TERM_UNARY)
		return strcmp(t->op, "++") == 0 || strcmp(t->op, "--") == 0;
	if (t->kind != TERM_BINARY)
		return false;
	bytes = strlen(t->op);
	return t->op[bytes - 1] == '=' && strcmp(t->op, "==") != 0 && strcmp(t->op, "!=") != 0 &&
	    strcmp(t->op, "<=") != 0 && strcmp(t->op, ">=") != 0;
}

/* ---- folding ---- */

static bool
fold_values(const char *op, int64_t x, int64_t y, int64_t *out)
{
	if (strcmp(op, "+") == 0)
		return !__builtin_add_overflow(x, y, out);
	if (strcmp(op, "-") == 0)
		return !__builtin_sub_overflow(x, y, out);
	if (strcmp(op, "*") == 0)
		return !__builtin_mul_overflow(x, y, out);
	if (y <= 0 || x < 0)
		return false;
	if (strcmp(op, "/") == 0)
		return *out = x / y, true;
	if (strcmp(op, "%") == 0)
		return *out = x % y, true;
	return false;
}

/* (x ± c) + n → x ± m */
static struct term *
fold_sum(struct arena *a, struct term *t, int64_t n)
{
	int64_t		 c = 0;
	struct term	*x = t;

	if (n == INT64_MIN)
		return NULL;
	if ((term_is(t, TERM_BINARY, "+") || term_is(t, TERM_BINARY, "-")) &&
	    t->a[1]->kind == TERM_INT && t->a[1]->value != INT64_MIN) {
		c = t->op[0] == '+' ? t->a[1]->value : -t->a[1]->value;
		x = t->a[0];
	}
	if (__builtin_add_overflow(c, n, &c) || c == INT64_MIN)
		return NULL;
	if (c == 0)
		return x;
	if (x == t && c == n)
		return NULL;
	return term_binary(a, c < 0 ? "-" : "+", x, term_int(a, c < 0 ? -c : c));
}

/* The same integer in fewer words; NULL: it has no fewer. */
static struct term *
fold(struct arena *a, const char *op, struct term *x, struct term *y)
{
	int64_t	value;

	if (x->kind == TERM_INT && y->kind == TERM_INT && fold_values(op, x->value, y->value,
	    &value))
		return term_int(a, value);
	if (strcmp(op, "+") == 0 && x->kind == TERM_INT && y->kind != TERM_INT)
		return x->value == 0 ? y : term_binary(a, "+", y, x);
	if (strcmp(op, "+") == 0 && y->kind == TERM_INT)
		return y->value < 0 && y->value != INT64_MIN ?
		    term_binary(a, "-", x, term_int(a, -y->value)) : fold_sum(a, x, y->value);
	if (strcmp(op, "-") == 0 && y->kind == TERM_INT && y->value != INT64_MIN)
		return y->value < 0 ? term_binary(a, "+", x, term_int(a, -y->value)) :
		    fold_sum(a, x, -y->value);
	if (strcmp(op, "*") == 0 && (term_is_int(x, 0) || term_is_int(y, 0)))
		return term_int(a, 0);
	if ((strcmp(op, "*") == 0 || strcmp(op, "/") == 0) && term_is_int(y, 1))
		return x;
	if (strcmp(op, "*") == 0 && term_is_int(x, 1))
		return y;
	return NULL;
}

struct term *
term_binary(struct arena *a, const char *op, struct term *x, struct term *y)
{
	struct term	*t;

	if (x->is_int && y->is_int && (t = fold(a, op, x, y)) != NULL)
		return t;
	t = term_new(a, TERM_BINARY, 2);
	t->op = op;
	t->a[0] = x;
	t->a[1] = y;
	t->at = x->at;
	t->is_int = x->is_int && y->is_int;
	t->is_unsigned = t->is_int && (x->is_unsigned || y->is_unsigned);
	return t;
}

struct term *
term_plus(struct arena *a, struct term *t, int64_t n)
{
	return term_binary(a, "+", t, term_int(a, n));
}

struct term *
term_times(struct arena *a, struct term *t, int64_t n)
{
	return term_binary(a, "*", t, term_int(a, n));
}

/* ---- mapping ---- */

static struct term *
rebuild(struct arena *a, const struct term *old, struct term **parts)
{
	struct term	*t, *folded;

	if (old->kind == TERM_BINARY && old->is_int && parts[0]->is_int && parts[1]->is_int &&
	    (folded = fold(a, old->op, parts[0], parts[1])) != NULL)
		return folded;
	if (term_is(old, TERM_UNARY, "-") && parts[0]->kind == TERM_INT &&
	    parts[0]->value != INT64_MIN)
		return term_int(a, -parts[0]->value);
	t = arena_take(a, sizeof *t);
	*t = *old;
	t->a = parts;
	return t;
}

struct term *
term_map(struct arena *a, struct term *t, term_map_fn *to, void *arg)
{
	struct term	**parts = NULL, *other;
	bool		  changed = false;
	enum term_kind	  kind;

	if (t->n > 0)
		parts = arena_take(a, t->n * sizeof *parts);
	for (size_t i = 0; i < t->n; i++) {
		parts[i] = term_map(a, t->a[i], to, arg);
		changed = changed || parts[i] != t->a[i];
	}
	if (changed) {
		kind = t->kind;
		t = rebuild(a, t, parts);
		if (t->kind != kind || t->n == 0)
			return t;	/* folded: what is left is mapped already */
	}
	other = to(arg, t);
	return other != NULL ? other : t;
}

struct term *
term_replaced(void *arg, struct term *t)
{
	const struct term_replacement	*r = arg;

	return t->kind == TERM_NAME && t->symbol == r->symbol ? r->by : NULL;
}

struct term *
term_replace(struct arena *a, struct term *t, const struct symbol *s, struct term *by)
{
	struct term_replacement	r = { s, by };

	return t == NULL ? NULL : term_map(a, t, term_replaced, &r);
}

/* ---- looking ---- */

bool
term_visit(struct term *t, term_visit_fn *visit, void *arg)
{
	if (!visit(arg, t))
		return false;
	for (size_t i = 0; i < t->n; i++)
		if (!term_visit(t->a[i], visit, arg))
			return false;
	return true;
}

bool
term_is_other_name(void *arg, struct term *t)
{
	return t->kind != TERM_NAME || t->symbol != arg;
}

bool
term_uses(struct term *t, const struct symbol *s)
{
	return !term_visit(t, term_is_other_name, (void *)(uintptr_t)s);
}

static bool
is_same_text(const char *x, const char *y)
{
	return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

bool
term_is_equal(const struct term *x, const struct term *y)
{
	if (x->kind != y->kind || x->n != y->n || x->symbol != y->symbol || x->value != y->value ||
	    !is_same_text(x->op, y->op) || (x->kind != TERM_INT && !is_same_text(x->text, y->text)))
		return false;
	for (size_t i = 0; i < x->n; i++)
		if (!term_is_equal(x->a[i], y->a[i]))
			return false;
	return true;
}

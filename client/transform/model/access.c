/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/model/access.h"
#include "proto/base/name.h"

/* An expression that points to elements: the last subscript is where it points. */
struct pointed {
	struct symbol	*symbol;
	const char	*field;
	struct term	*subscripts[SYMBOL_MAX_DIMS];
	size_t		 n;
};

/* Functions of libm that depend on their arguments alone. */
static const char *const	pure[] = {
	"sqrt", "sqrtf", "cbrt", "fabs", "fabsf", "abs", "labs", "exp", "expf", "exp2", "expm1",
	"log", "logf", "log2", "log10", "log1p", "pow", "powf", "sin", "sinf", "cos", "cosf", "tan",
	"tanf", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "tanhf", "hypot", "fmod",
	"floor", "floorf", "ceil", "ceilf", "round", "roundf", "trunc", "rint", "nearbyint",
	"fma", "fmaf", "fmin", "fminf", "fmax", "fmaxf", "copysign", "erf", "erfc", "tgamma", NULL
};

static void	collect(struct accesses *, struct term *);
static bool	point(struct accesses *, struct term *, struct pointed *);

static void
set_problem(struct accesses *to, const struct term *t, const char *text)
{
	if (to->problem != NULL)
		return;
	to->problem = text;
	to->problem_at = t->at;
}

static bool
push(struct pointed *p, struct term *subscript)
{
	if (p->n == SYMBOL_MAX_DIMS)
		return false;
	p->subscripts[p->n++] = subscript;
	return true;
}

static bool
move(struct accesses *to, struct pointed *p, struct term *by, bool back)
{
	struct term	*last = p->subscripts[p->n - 1];

	p->subscripts[p->n - 1] = term_binary(to->arena, back ? "-" : "+", last, by);
	return true;
}

/* The element that a term is, with all its subscripts. */
static bool
element(struct accesses *to, struct term *t, struct pointed *p)
{
	if (t->kind == TERM_INDEX)
		return t->a[1]->is_int ? point(to, t->a[0], p) && move(to, p, t->a[1], false) :
		    point(to, t->a[1], p) && move(to, p, t->a[0], false);
	if (term_is(t, TERM_UNARY, "*"))
		return point(to, t->a[0], p);
	if (t->kind == TERM_MEMBER) {
		if (strcmp(t->op, ".") == 0 ? !element(to, t->a[0], p) : !point(to, t->a[0], p))
			return false;
		p->field = arena_format(to->arena, "%s.%s", p->field, t->text);
		return true;
	}
	if (t->kind != TERM_NAME)
		return false;
	*p = (struct pointed){ .symbol = t->symbol, .field = "" };
	return true;
}

static bool
point_name(struct accesses *to, struct term *t, struct pointed *p)
{
	struct symbol	*s = t->symbol;

	if (s->ndims == 0)
		return false;
	if (s->is_pointer && s->init != NULL && s->init->kind != TERM_CALL &&
	    !affine_is_written(to->affine, s))
		return point(to, s->init, p);
	*p = (struct pointed){ .symbol = s, .field = "" };
	return push(p, term_int(to->arena, 0));
}

/* Where a term points. */
static bool
point(struct accesses *to, struct term *t, struct pointed *p)
{
	if (t->kind == TERM_NAME)
		return point_name(to, t, p);
	if (t->kind == TERM_INDEX)
		return element(to, t, p) && push(p, term_int(to->arena, 0));
	if (t->kind == TERM_BINARY && !t->is_int && strcmp(t->op, "+") == 0)
		return t->a[1]->is_int ? point(to, t->a[0], p) && move(to, p, t->a[1], false) :
		    point(to, t->a[1], p) && move(to, p, t->a[0], false);
	if (t->kind == TERM_BINARY && !t->is_int && strcmp(t->op, "-") == 0 && t->a[1]->is_int)
		return point(to, t->a[0], p) && move(to, p, t->a[1], true);
	if (term_is(t, TERM_UNARY, "&"))
		return element(to, t->a[0], p) && p->n > 0 && p->field[0] == '\0';
	return false;
}

/* ---- statements ---- */

static void
add(struct accesses *to, struct term *t, const struct pointed *p, bool is_write)
{
	struct access	*x;

	to->at = arena_grow(to->arena, to->at, to->n, sizeof *to->at);
	x = &to->at[to->n++];
	*x = (struct access){ .is_write = is_write, .symbol = p->symbol, .field = p->field,
	    .n = p->n, .at = t->at, .term = t };
	memcpy(x->subscripts, p->subscripts, sizeof x->subscripts);
}

static void
collect_subscripts(struct accesses *to, struct term *t)
{
	if (t->kind == TERM_INDEX) {
		collect_subscripts(to, t->a[0]->is_int ? t->a[1] : t->a[0]);
		collect(to, t->a[0]->is_int ? t->a[0] : t->a[1]);
	} else if (t->kind == TERM_MEMBER || term_is(t, TERM_UNARY, "*") ||
	    term_is(t, TERM_UNARY, "&")) {
		collect_subscripts(to, t->a[0]);
	} else if (t->kind == TERM_BINARY) {
		collect_subscripts(to, t->a[0]->is_int ? t->a[1] : t->a[0]);
		collect(to, t->a[0]->is_int ? t->a[0] : t->a[1]);
	}
}

/* A scalar that the nest never writes is a number to it, and no memory. */
static void
reach(struct accesses *to, struct term *t, bool reads, bool writes)
{
	struct pointed	p;

	collect_subscripts(to, t);
	if (!element(to, t, &p)) {
		set_problem(to, t, "this access is not one to an element of an array with a name");
		return;
	}
	if (affine_is_around(to->affine, p.symbol))
		return;
	if (affine_is_counter(to->affine, p.symbol))
		set_problem(to, t, "the variable of a loop is used outside that loop");
	if (p.symbol->is_pointer && affine_is_written(to->affine, p.symbol))
		set_problem(to, t, "the pointer itself changes in the nest");
	if (p.symbol->is_volatile)
		set_problem(to, t, "this is volatile: its order is part of what the routine does");
	if (p.n != p.symbol->ndims)
		set_problem(to, t, "this is not one element of an array but a whole array or row");
	if (p.symbol->is_record && p.field[0] == '\0')
		set_problem(to, t, "this is a whole structure: name its members one by one");
	if (p.n == 0 && p.field[0] == '\0' && !affine_is_written(to->affine, p.symbol))
		return;
	if (reads)
		add(to, t, &p, false);
	if (writes)
		add(to, t, &p, true);
}

static void
collect_call(struct accesses *to, struct term *t)
{
	if (t->a[0]->kind != TERM_NAME || t->a[0]->symbol->kind != SYMBOL_FUNCTION ||
	    !name_is_among(t->a[0]->symbol->name, pure))
		set_problem(to, t, "this calls a function that may read and write anything");
	for (size_t i = 1; i < t->n; i++)
		collect(to, t->a[i]);
}

static void
collect_assignment(struct accesses *to, struct term *t)
{
	if (t->kind == TERM_BINARY)
		collect(to, t->a[1]);
	reach(to, t->a[0], t->kind != TERM_BINARY || strcmp(t->op, "=") != 0, true);
}

static void
collect(struct accesses *to, struct term *t)
{
	if (term_is_assignment(t)) {
		collect_assignment(to, t);
	} else if (t->kind == TERM_NAME || t->kind == TERM_INDEX || t->kind == TERM_MEMBER ||
	    term_is(t, TERM_UNARY, "*")) {
		reach(to, t, true, false);
	} else if (term_is(t, TERM_UNARY, "&")) {
		set_problem(to, t, "an address is taken here: it could be written through");
	} else if (t->kind == TERM_CALL) {
		collect_call(to, t);
	} else if (t->kind == TERM_OPAQUE) {
		set_problem(to, t, "this expression is not understood");
	} else {
		for (size_t i = 0; i < t->n; i++)
			collect(to, t->a[i]);
	}
}

void
access_collect(struct accesses *to, struct term *t)
{
	collect(to, t);
}

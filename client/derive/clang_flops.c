/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating-point operations of a routine's body, as far as its loops alone say how often each is
 * done: no other branch may decide it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/derive/clang_parts.h"

enum { UNKNOWN = -1 };

struct count {
	struct poly	p;			/* names of loops' variables, too */
	long long	divisor;
};

/*
 * Adds to the count so far.  Expressions nest deeply: what calls itself keeps no counts of its own
 * on the stack, but for loops and branches.
 */
static void	count(struct clang_reader *, CXCursor, struct count *);

static bool
is_none(const struct count *c)
{
	return c->p.is_known && c->p.n == 0;
}

static void
add(struct count *to, const struct count *more)
{
	to->p = poly_sum(poly_product(to->p, poly_number(more->divisor)), more->p, to->divisor);
	if (__builtin_mul_overflow(to->divisor, more->divisor, &to->divisor))
		to->p = poly_unknown();
	poly_reduce(&to->p, &to->divisor);
}

/* UNKNOWN: nothing is known from here on. */
static __attribute__((noinline)) void
add_number(struct count *to, long long n)
{
	to->p = n == UNKNOWN ? poly_unknown() : poly_sum(to->p, poly_number(n), to->divisor);
}

static struct count
no_operations(void)
{
	return (struct count){ poly_number(0), 1 };
}

/* ---- operators ---- */

/* Real operations that one of this type takes: 0 if it is no floating-point type. */
static long long
parts_of(CXType t)
{
	t = clang_getCanonicalType(t);
	switch (t.kind) {
	case CXType_Half:
	case CXType_Float16:
	case CXType_Float:
	case CXType_Double:
	case CXType_LongDouble:
	case CXType_Float128:
		return 1;
	case CXType_Complex:
		return parts_of(clang_getElementType(t)) > 0 ? 2 : 0;
	case CXType_Vector:
	case CXType_ExtVector:
		return clang_getNumElements(t) * parts_of(clang_getElementType(t));
	default:
		return 0;
	}
}

static bool
is_complex(CXCursor c)
{
	return clang_getCanonicalType(clang_getCursorType(clang_plain(c))).kind == CXType_Complex;
}

static long long
product_of(CXCursor c, long long parts)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);
	bool		 whole = n == 2 && is_complex(kids[0]) && is_complex(kids[1]);

	free(kids);
	return whole ? 6 : parts;
}

static long long
operator_count(CXCursor c)
{
	const long long	parts = parts_of(clang_getCursorType(c));

	if (parts == 0 || clang_is_constant(c))
		return 0;
	switch (clang_getCursorBinaryOperatorKind(c)) {
	case CXBinaryOperator_Add:
	case CXBinaryOperator_Sub:
	case CXBinaryOperator_AddAssign:
	case CXBinaryOperator_SubAssign:
		return parts;
	case CXBinaryOperator_Mul:
	case CXBinaryOperator_MulAssign:
		return product_of(c, parts);
	case CXBinaryOperator_Div:
	case CXBinaryOperator_DivAssign:
		return is_complex(c) ? UNKNOWN : parts;
	default:
		return 0;
	}
}

/* ---- calls ---- */

static bool
is_in(const char *const *names, const char *name)
{
	for (size_t i = 0; names[i] != NULL; i++) {
		size_t	n = strlen(names[i]);

		if (strncmp(names[i], name, n) == 0 && (name[n] == '\0' ||
		    ((name[n] == 'f' || name[n] == 'l') && name[n + 1] == '\0')))
			return true;
	}
	return false;
}

static long long
call_count(struct clang_reader *r, CXCursor c)
{
	static const char *const	free_ones[] = { "fabs", "floor", "ceil", "trunc", "round",
					    "rint", "nearbyint", "copysign", "abs", "labs",
					    "memcpy", "memset", "memmove", NULL };
	static const char *const	plain[] = { "sqrt", "fmin", "fmax", "fdim", NULL };
	static const char *const	twofold[] = { "fma", NULL };
	static const char *const	slow[] = { "exp", "exp2", "expm1", "log", "log2", "log10",
					    "log1p", "pow", "sin", "cos", "tan", "asin", "acos",
					    "atan", "atan2", "sinh", "cosh", "tanh", "cbrt",
					    "hypot", "erf", "erfc", "tgamma", "lgamma", "fmod",
					    NULL };
	CXString			spelling = clang_getCursorSpelling(c);
	const char			*name = clang_getCString(spelling);
	long long			made = UNKNOWN;

	if (name != NULL && strncmp(name, "__builtin_", strlen("__builtin_")) == 0)
		name += strlen("__builtin_");
	if (name != NULL && is_in(slow, name))
		r->to->has_slow_calls = true;
	if (name != NULL && (is_in(plain, name) || is_in(slow, name)))
		made = 1;
	else if (name != NULL && is_in(twofold, name))
		made = 2;
	else if (name != NULL && is_in(free_ones, name))
		made = 0;
	clang_disposeString(spelling);
	return made;
}

/* ---- loops ---- */

/* i++, i--, i += 4, i -= 4; 0: another. */
static long long
step_of(struct clang_reader *r, CXCursor c, CXCursor variable)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);
	bool		 is_own = n > 0 && clang_equalCursors(clang_getCursorReferenced(
			    clang_plain(kids[0])), variable);
	struct poly	 by = n == 2 ? clang_extreme(r, kids[1], true) : poly_number(1);
	long long	 step = 0;

	free(kids);
	if (!is_own || !poly_is_number(&by, &step) || step <= 0)
		return 0;
	if (clang_getCursorKind(c) == CXCursor_UnaryOperator) {
		enum CXUnaryOperatorKind	kind = clang_getCursorUnaryOperatorKind(c);

		return kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc ? 1 :
		    kind == CXUnaryOperator_PostDec || kind == CXUnaryOperator_PreDec ? -1 : 0;
	}
	if (clang_getCursorKind(c) != CXCursor_CompoundAssignOperator)
		return 0;
	return clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_AddAssign ? step :
	    clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_SubAssign ? -step : 0;
}

/* Where the loop ends, if its condition and its step go the same way. */
static struct poly
last_value(struct clang_reader *r, CXCursor condition, CXCursor variable, bool is_up)
{
	bool			is_lower = !is_up;
	const struct poly	end = clang_bound(r, condition, variable, &is_lower);

	return is_lower == !is_up ? end : poly_unknown();
}

/* How often a loop that makes larger steps goes round. */
static struct poly
trips(const struct poly *distance, long long step)
{
	char		text[POLY_TEXT_BYTES], whole[POLY_TEXT_BYTES + 32];
	long long	n;

	if (!distance->is_known)
		return poly_unknown();
	if (poly_is_number(distance, &n))
		return poly_number(n / step + 1);
	poly_text(distance, text);
	(void)snprintf(whole, sizeof whole, "((%s)/%lld+1)", text, step);
	return poly_name(whole);
}

static void
all_rounds(struct count *body, const struct clang_loop *l, long long step)
{
	struct poly	distance = poly_sum(l->last, l->first, -1);
	struct poly	each = poly_coefficient(body->p, l->name, 0);

	if (step == 1 || step == -1)
		body->p = poly_sum_over(body->p, l->name, l->first, l->last, &body->divisor);
	else if (!each.is_known || poly_part(body->p, l->name, true).n > 0)
		body->p = poly_unknown();
	else
		body->p = poly_product(each, trips(&distance, step > 0 ? step : -step));
}

/* `part`: start, condition, step, body. */
static struct count
loop_count(struct clang_reader *r, CXCursor *part)
{
	struct clang_loop	l = { .first = poly_unknown(), .last = poly_unknown() };
	struct count		body = no_operations();
	CXCursor		value;
	struct poly		from = poly_unknown(), to = poly_unknown();
	long long		step = 0;

	if (clang_loop_start(part[0], &l.variable, &value) &&
	    clang_changes(r, part[3], l.variable) == 0 &&
	    (step = step_of(r, clang_plain(part[2]), l.variable)) != 0) {
		from = clang_extreme(r, value, true);
		to = last_value(r, part[1], l.variable, step > 0);
	}
	l.first = step > 0 ? from : to;
	l.last = step > 0 ? to : from;
	(void)snprintf(l.name, sizeof l.name, "$%zu$", r->nloops);
	r->loops[r->nloops++] = l;
	count(r, part[3], &body);
	r->nloops--;
	if (!is_none(&body))
		all_rounds(&body, &l, step);
	return body;
}

static __attribute__((noinline)) void
count_for(struct clang_reader *r, CXCursor c, struct count *to)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);
	struct count	 head = no_operations(), rounds;

	for (size_t i = 0; i + 1 < n; i++)
		count(r, kids[i], &head);
	if (n == 4 && r->nloops < CLANG_MAX_LOOPS && is_none(&head)) {
		rounds = loop_count(r, kids);
		add(to, &rounds);
	} else {
		count(r, kids[n - 1], &head);
		if (!is_none(&head))
			add_number(to, UNKNOWN);
	}
	free(kids);
}

/* ---- all ---- */

static void
count_children(struct clang_reader *r, CXCursor c, struct count *to)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);

	for (size_t i = 0; to->p.is_known && i < n; i++)
		count(r, kids[i], to);
	free(kids);
}

/* Nothing here knows how often it is done: it must have no operations. */
static __attribute__((noinline)) void
count_unknown(struct clang_reader *r, CXCursor c, struct count *to)
{
	struct count	inside = no_operations();

	count_children(r, c, &inside);
	if (!is_none(&inside))
		add_number(to, UNKNOWN);
}

/* Branches must have the same count: nothing here knows which is taken. */
static __attribute__((noinline)) void
count_branches(struct clang_reader *r, CXCursor c, struct count *to)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);
	struct count	 branch[2] = { no_operations(), no_operations() }, difference;

	if (n > 0)
		count(r, kids[0], to);
	for (size_t i = 1; i < n && i < 3; i++)
		count(r, kids[i], &branch[i - 1]);
	free(kids);
	difference = branch[1];
	difference.p = poly_product(difference.p, poly_number(-1));
	add(&difference, &branch[0]);
	if (is_none(&difference))
		add(to, &branch[0]);
	else
		add_number(to, UNKNOWN);
}

static void
count_expression(struct clang_reader *r, CXCursor c, struct count *to)
{
	enum CXCursorKind	kind = clang_getCursorKind(c);
	long long		own = 0;

	if (kind == CXCursor_UnaryExpr)		/* sizeof: not evaluated */
		return;
	if (kind == CXCursor_CallExpr)
		own = call_count(r, c);
	else if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator)
		own = operator_count(c);
	if (own != 0)
		add_number(to, own);
	if (kind == CXCursor_BinaryOperator && (clang_getCursorBinaryOperatorKind(c) ==
	    CXBinaryOperator_LAnd || clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_LOr))
		count_unknown(r, c, to);
	else
		count_children(r, c, to);
}

static void
count(struct clang_reader *r, CXCursor c, struct count *to)
{
	const enum CXCursorKind	kind = clang_getCursorKind(c);

	if (r->depth >= CLANG_MAX_DEPTH || kind == CXCursor_BreakStmt ||
	    kind == CXCursor_ContinueStmt || kind == CXCursor_GotoStmt ||
	    kind == CXCursor_IndirectGotoStmt || kind == CXCursor_GCCAsmStmt ||
	    (kind == CXCursor_ReturnStmt && r->nloops > 0)) {
		add_number(to, UNKNOWN);
		return;
	}
	r->depth++;
	if (kind == CXCursor_ForStmt)
		count_for(r, c, to);
	else if (kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
	    kind == CXCursor_SwitchStmt)
		count_unknown(r, c, to);
	else if (kind == CXCursor_IfStmt || kind == CXCursor_ConditionalOperator)
		count_branches(r, c, to);
	else
		count_expression(r, c, to);
	r->depth--;
}

void
clang_count_flops(struct clang_reader *r)
{
	struct count	all = no_operations();

	r->is_symbolic = true;
	count(r, r->body, &all);
	r->is_symbolic = false;
	r->to->flops = is_none(&all) ? poly_unknown() : all.p;
	r->to->flops_divisor = all.divisor;
}

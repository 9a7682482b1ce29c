/* SPDX-License-Identifier: Apache-2.0 */
/* Values of integer expressions at the ends of the loops around them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/derive/clang_parts.h"

enum { MAX_SEARCHES = 1000 };

struct list {
	CXCursor	*at;
	size_t		 n;
};

static enum CXChildVisitResult
add_child(CXCursor c, CXCursor parent, CXClientData data)
{
	struct list	*l = data;
	CXCursor	*more = realloc(l->at, (l->n + 2) * sizeof *more);

	(void)parent;
	if (more == NULL)
		return CXChildVisit_Break;
	l->at = more;
	l->at[l->n++] = c;
	return CXChildVisit_Continue;
}

CXCursor *
clang_children(CXCursor c, size_t *n)
{
	struct list	l = { NULL, 0 };

	(void)clang_visitChildren(c, add_child, &l);
	*n = l.n;
	return l.at;
}

static CXCursor
last_child(CXCursor c)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n), last = clang_getNullCursor();

	if (n > 0)
		last = kids[n - 1];
	free(kids);
	return last;
}

CXCursor
clang_plain(CXCursor c)
{
	for (unsigned i = 0; i < CLANG_MAX_DEPTH; i++) {
		enum CXCursorKind	kind = clang_getCursorKind(c);

		if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
		    kind != CXCursor_CStyleCastExpr)
			break;
		c = last_child(c);
	}
	return c;
}

size_t
clang_param(const struct clang_reader *r, CXCursor c)
{
	size_t	i = 0;

	c = clang_plain(c);
	if (clang_getCursorKind(c) != CXCursor_DeclRefExpr)
		return r->to->n;
	c = clang_getCursorReferenced(c);
	while (i < r->to->n && !clang_equalCursors(c, r->params[i]))
		i++;
	return i;
}

/* ---- values that are known ---- */

static bool
constant(CXCursor c, long long *value)
{
	CXEvalResult	result = clang_Cursor_Evaluate(c);
	bool		is_whole = result != NULL &&
			    clang_EvalResult_getKind(result) == CXEval_Int;

	if (is_whole)
		*value = clang_EvalResult_getAsLongLong(result);
	if (result != NULL)
		clang_EvalResult_dispose(result);
	return is_whole;
}

bool
clang_is_constant(CXCursor c)
{
	CXEvalResult	result = clang_Cursor_Evaluate(c);
	bool		is_number = result != NULL &&
			    (clang_EvalResult_getKind(result) == CXEval_Int ||
			    clang_EvalResult_getKind(result) == CXEval_Float);

	if (result != NULL)
		clang_EvalResult_dispose(result);
	return is_number;
}

/* A local variable stands for what it begins with, if nothing else is put into it. */
struct search {
	CXCursor	 variable;
	unsigned	 changes;
};

static enum CXChildVisitResult
count_change(CXCursor c, CXCursor parent, CXClientData data)
{
	struct search		*s = data;
	enum CXCursorKind	 kind = clang_getCursorKind(c);
	size_t			 n;
	CXCursor		*kids;

	(void)parent;
	if (kind != CXCursor_BinaryOperator && kind != CXCursor_CompoundAssignOperator &&
	    kind != CXCursor_UnaryOperator)
		return CXChildVisit_Recurse;
	if (kind == CXCursor_BinaryOperator &&
	    clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Assign)
		return CXChildVisit_Recurse;
	if (kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(c) >
	    CXUnaryOperator_AddrOf)
		return CXChildVisit_Recurse;
	kids = clang_children(c, &n);
	if (n > 0 && clang_equalCursors(clang_getCursorReferenced(clang_plain(kids[0])),
	    s->variable))
		s->changes++;
	free(kids);
	return CXChildVisit_Recurse;
}

/* Long bodies are not searched for ever: then a variable counts as changed. */
unsigned
clang_changes(struct clang_reader *r, CXCursor body, CXCursor variable)
{
	struct search	s = { variable, 0 };

	if (++r->searches > MAX_SEARCHES)
		return MAX_SEARCHES;
	(void)count_change(body, body, &s);
	(void)clang_visitChildren(body, count_change, &s);
	return s.changes;
}

static unsigned
changes_of(struct clang_reader *r, CXCursor variable)
{
	return clang_changes(r, r->body, variable);
}

static struct poly
loop_value(const struct clang_reader *r, const struct clang_loop *l, bool largest)
{
	return r->is_symbolic ? poly_name(l->name) : largest ? l->last : l->first;
}

static struct poly
named_value(struct clang_reader *r, CXCursor c, bool largest)
{
	CXCursor	declared = clang_getCursorReferenced(c), init;
	size_t		param = clang_param(r, c);

	for (size_t i = r->nloops; i-- > 0; )
		if (clang_equalCursors(r->loops[i].variable, declared))
			return loop_value(r, &r->loops[i], largest);
	if (param < r->to->n)
		return r->to->params[param].is_pointer || changes_of(r, declared) > 0 ?
		    poly_unknown() : poly_name(r->to->params[param].name);
	if (clang_getCursorKind(declared) != CXCursor_VarDecl || changes_of(r, declared) > 0)
		return poly_unknown();
	init = last_child(declared);
	return clang_isExpression(clang_getCursorKind(init)) ? clang_extreme(r, init, largest) :
	    poly_unknown();
}

/* ---- operators ---- */

/* a / b and a % b as they are written. */
static struct poly
quotient(struct poly a, struct poly b, const char *sign)
{
	char	one[POLY_TEXT_BYTES], two[POLY_TEXT_BYTES], text[2 * POLY_TEXT_BYTES + 16];

	if (!a.is_known || !b.is_known)
		return poly_unknown();
	poly_text(&a, one);
	poly_text(&b, two);
	(void)snprintf(text, sizeof text, "((%s)%s(%s))", one, sign, two);
	return poly_name(text);
}

static struct poly
binary(struct clang_reader *r, CXCursor c, bool largest)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n), a, b;

	if (n != 2) {
		free(kids);
		return poly_unknown();
	}
	if (r->is_symbolic && clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Rem) {
		struct poly	rest = quotient(clang_extreme(r, kids[0], true),
				    clang_extreme(r, kids[1], true), "%");

		free(kids);
		return rest;
	}
	a = kids[0];
	b = kids[1];
	free(kids);
	switch (clang_getCursorBinaryOperatorKind(c)) {
	case CXBinaryOperator_Add:
		return poly_sum(clang_extreme(r, a, largest), clang_extreme(r, b, largest), 1);
	case CXBinaryOperator_Sub:
		return poly_sum(clang_extreme(r, a, largest), clang_extreme(r, b, !largest), -1);
	case CXBinaryOperator_Mul:
		return poly_product(clang_extreme(r, a, largest), clang_extreme(r, b, largest));
	case CXBinaryOperator_Div:
		return quotient(clang_extreme(r, a, largest), clang_extreme(r, b, !largest), "/");
	case CXBinaryOperator_Rem:
		return largest ? poly_sum(clang_extreme(r, b, true), poly_number(1), -1) :
		    poly_number(0);
	default:
		return poly_unknown();
	}
}

/* *n, as Fortran passes it; -i. */
static struct poly
unary(struct clang_reader *r, CXCursor c, bool largest)
{
	CXCursor	of = last_child(c);
	size_t		param = clang_param(r, of);

	switch (clang_getCursorUnaryOperatorKind(c)) {
	case CXUnaryOperator_Minus:
		return poly_sum(poly_number(0), clang_extreme(r, of, !largest), -1);
	case CXUnaryOperator_Plus:
		return clang_extreme(r, of, largest);
	case CXUnaryOperator_Deref:
		return param < r->to->n ? poly_name(r->to->params[param].name) : poly_unknown();
	default:
		return poly_unknown();
	}
}

/* x[at[i]]: the elements of `at` are taken for a permutation of its places. */
static struct poly
indexed(struct clang_reader *r, CXCursor c, bool largest)
{
	size_t		 n, param;
	CXCursor	*kids = clang_children(c, &n);
	struct poly	 p = poly_unknown();

	if (n == 2 && (param = clang_param(r, kids[0])) < r->to->n) {
		r->to->params[param].is_index = true;
		p = largest ? clang_extreme(r, kids[1], true) : poly_number(0);
	}
	free(kids);
	return p;
}

static struct poly
by_kind(struct clang_reader *r, CXCursor c, bool largest)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_DeclRefExpr:
		return named_value(r, c, largest);
	case CXCursor_BinaryOperator:
		return binary(r, c, largest);
	case CXCursor_UnaryOperator:
		return unary(r, c, largest);
	case CXCursor_ArraySubscriptExpr:
		return r->is_symbolic ? poly_unknown() : indexed(r, c, largest);
	default:
		return poly_unknown();
	}
}

struct poly
clang_extreme(struct clang_reader *r, CXCursor c, bool largest)
{
	struct poly	p = poly_unknown();
	long long	value;

	c = clang_plain(c);
	if (r->depth >= CLANG_MAX_DEPTH)
		return p;
	r->depth++;
	if (clang_getCursorKind(c) != CXCursor_DeclRefExpr && constant(c, &value))
		p = poly_number(value);
	else
		p = by_kind(r, c, largest);
	r->depth--;
	return p;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a routine's body does with its parameters: loops, elements read and written. */
#include <stdlib.h>
#include <string.h>

#include "client/derive/clang_parts.h"

enum access { READS = 1, WRITES = 2 };
enum { MAX_BASES = 4, MAX_SUBSCRIPTS = 8, MAX_POINTERS = 4 };

/* Where a pointer points to: an element of a parameter's. */
struct base {
	size_t		param;
	struct poly	offset;
	bool		has_row;	/* of an array of rows: `row` is set */
	struct poly	row;
};

struct bases {
	size_t		n;
	struct base	at[MAX_BASES];
};

static void	visit(struct clang_reader *, CXCursor, enum access);

/* ---- extents ---- */

/* All iterations of the loops around: what an index that is not understood may reach. */
static struct poly
iterations(const struct clang_reader *r)
{
	struct poly	all = poly_number(1);

	for (size_t i = 0; i < r->nloops; i++) {
		struct poly	one = poly_sum(r->loops[i].last, r->loops[i].first, -1);

		one = poly_sum(one, poly_number(1), 1);
		if (one.is_known)
			all = poly_product(all, one);
	}
	return all;
}

static void
add_extent(struct derived_dim *d, struct poly extent)
{
	char	text[POLY_TEXT_BYTES], other[POLY_TEXT_BYTES];

	poly_text(&extent, text);
	for (size_t i = 0; i < d->n; i++) {
		poly_text(&d->extents[i], other);
		if (strcmp(text, other) == 0)
			return;
	}
	if (d->n < DERIVED_MAX_EXTENTS)
		d->extents[d->n++] = extent;
}

static void
note_access(struct clang_reader *r, const struct base *b, const struct poly *subs, size_t n,
    enum access how)
{
	struct derived_param	*p = &r->to->params[b->param];
	size_t			 rows = b->has_row;

	p->is_read |= (how & READS) != 0;
	p->is_written |= (how & WRITES) != 0;
	n += rows;
	if (n > DERIVED_MAX_DIMS || (p->ndims > 0 && p->ndims != n))
		return;
	p->ndims = n;
	for (size_t i = 0; i < n; i++) {
		struct poly	last = i < rows ? b->row : subs[i - rows];
		struct poly	extent;

		if (i == rows)
			last = poly_sum(b->offset, last, 1);
		extent = poly_sum(last, poly_number(1), 1);

		add_extent(&p->dims[i], extent.is_known ? extent : iterations(r));
	}
}

/* ---- bases ---- */

static void	find_bases(struct clang_reader *, CXCursor, struct poly offset, struct bases *);

/* Of a[i][j] the a[i] is no element. */
static bool
is_row(CXCursor c)
{
	enum CXTypeKind	kind = clang_getCanonicalType(clang_getCursorType(c)).kind;

	return kind == CXType_Pointer || kind == CXType_ConstantArray ||
	    kind == CXType_VariableArray;
}

struct assigned {
	struct clang_reader	*r;
	CXCursor		 variable;
	struct poly		 offset;
	struct bases		*to;
};

static enum CXChildVisitResult
add_assigned(CXCursor c, CXCursor parent, CXClientData data)
{
	struct assigned	*a = data;
	size_t		 n;
	CXCursor	*kids;

	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_BinaryOperator ||
	    clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Assign)
		return CXChildVisit_Recurse;
	kids = clang_children(c, &n);
	if (n == 2 && clang_equalCursors(clang_getCursorReferenced(clang_plain(kids[0])),
	    a->variable))
		find_bases(a->r, kids[1], a->offset, a->to);
	free(kids);
	return CXChildVisit_Recurse;
}

/* A local pointer: where it begins, and all that is put into it. */
static void
local_bases(struct clang_reader *r, CXCursor variable, struct poly offset, struct bases *to)
{
	struct assigned	 a = { r, variable, offset, to };
	size_t		 n;
	CXCursor	*kids;

	if (r->pointers >= MAX_POINTERS)
		return;
	r->pointers++;
	kids = clang_children(variable, &n);
	if (n > 0 && clang_isExpression(clang_getCursorKind(kids[n - 1])))
		find_bases(r, kids[n - 1], offset, to);
	free(kids);
	(void)clang_visitChildren(r->body, add_assigned, &a);
	r->pointers--;
}

static void
sum_bases(struct clang_reader *r, CXCursor c, struct poly offset, struct bases *to)
{
	enum CXBinaryOperatorKind	 kind = clang_getCursorBinaryOperatorKind(c);
	size_t				 n;
	CXCursor			*kids = clang_children(c, &n);

	if (n == 2 && (kind == CXBinaryOperator_Add || kind == CXBinaryOperator_Sub))
		find_bases(r, kids[0], poly_sum(offset, clang_extreme(r, kids[1],
		    kind == CXBinaryOperator_Add), kind == CXBinaryOperator_Add ? 1 : -1), to);
	free(kids);
}

/* a[i], where a points to rows. */
static void
row_bases(struct clang_reader *r, CXCursor c, struct poly offset, struct bases *to)
{
	size_t		 n, param;
	CXCursor	*kids = clang_children(c, &n);

	if (n == 2 && is_row(c) && (param = clang_param(r, kids[0])) < r->to->n)
		to->at[to->n++] = (struct base){ param, offset, true,
		    clang_extreme(r, kids[1], true) };
	free(kids);
}

/* &a[i] */
static void
address_bases(struct clang_reader *r, CXCursor c, struct poly offset, struct bases *to)
{
	size_t		 n, inner_n;
	CXCursor	*kids = clang_children(c, &n), *inner, of;

	of = n == 1 ? clang_plain(kids[0]) : clang_getNullCursor();
	free(kids);
	if (clang_getCursorUnaryOperatorKind(c) != CXUnaryOperator_AddrOf ||
	    clang_getCursorKind(of) != CXCursor_ArraySubscriptExpr)
		return;
	inner = clang_children(of, &inner_n);
	if (inner_n == 2)
		find_bases(r, inner[0], poly_sum(offset, clang_extreme(r, inner[1], true), 1), to);
	free(inner);
}

static void
find_bases(struct clang_reader *r, CXCursor c, struct poly offset, struct bases *to)
{
	size_t	param;

	c = clang_plain(c);
	if (r->depth >= CLANG_MAX_DEPTH || to->n >= MAX_BASES)
		return;
	r->depth++;
	if ((param = clang_param(r, c)) < r->to->n)
		to->at[to->n++] = (struct base){ param, offset, false, poly_unknown() };
	else if (clang_getCursorKind(c) == CXCursor_BinaryOperator)
		sum_bases(r, c, offset, to);
	else if (clang_getCursorKind(c) == CXCursor_UnaryOperator)
		address_bases(r, c, offset, to);
	else if (clang_getCursorKind(c) == CXCursor_ArraySubscriptExpr)
		row_bases(r, c, offset, to);
	else if (clang_getCursorKind(c) == CXCursor_DeclRefExpr)
		local_bases(r, clang_getCursorReferenced(c), offset, to);
	r->depth--;
}

/* ---- elements ---- */

/* a[i][j]: the subscripts from the last one inwards. */
static void
visit_element(struct clang_reader *r, CXCursor c, enum access how)
{
	struct poly	 subs[MAX_SUBSCRIPTS], turned[MAX_SUBSCRIPTS];
	struct bases	 b = { .n = 0 };
	size_t		 n = 0, kids_n;
	bool		 is_element = !is_row(c);

	while (clang_getCursorKind(c) == CXCursor_ArraySubscriptExpr && n < MAX_SUBSCRIPTS) {
		CXCursor	*kids = clang_children(c, &kids_n);

		if (kids_n != 2) {
			free(kids);
			return;
		}
		subs[n++] = clang_extreme(r, kids[1], true);
		visit(r, kids[1], READS);
		c = clang_plain(kids[0]);
		free(kids);
	}
	if (clang_getCursorKind(c) == CXCursor_MemberRefExpr) {
		visit(r, c, how);
		return;
	}
	if (is_element)
		find_bases(r, c, poly_number(0), &b);
	for (size_t i = 0; i < n; i++)
		turned[i] = subs[n - 1 - i];
	for (size_t i = 0; i < b.n; i++)
		note_access(r, &b.at[i], turned, n, how);
}

/* p->x is of the first element, p[i].x of that one. */
static void
visit_member(struct clang_reader *r, CXCursor c, enum access how)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n), of;
	struct bases	 b = { .n = 0 };
	struct poly	 zero = poly_number(0);

	of = n > 0 ? clang_plain(kids[0]) : clang_getNullCursor();
	free(kids);
	if (clang_getCanonicalType(clang_getCursorType(of)).kind != CXType_Pointer) {
		visit(r, of, how);
		return;
	}
	find_bases(r, of, zero, &b);
	for (size_t i = 0; i < b.n; i++)
		note_access(r, &b.at[i], &zero, 1, how);
}

static void
visit_unary(struct clang_reader *r, CXCursor c, enum access how)
{
	enum CXUnaryOperatorKind	 kind = clang_getCursorUnaryOperatorKind(c);
	size_t				 n;
	CXCursor			*kids = clang_children(c, &n);
	struct poly			 zero = poly_number(0);
	struct bases			 b = { .n = 0 };

	if (n == 1 && kind == CXUnaryOperator_Deref) {
		find_bases(r, kids[0], zero, &b);
		for (size_t i = 0; i < b.n; i++)
			note_access(r, &b.at[i], &zero, 1, how);
	} else if (n == 1 && kind <= CXUnaryOperator_PreDec) {
		visit(r, kids[0], READS | WRITES);
	} else if (n == 1) {
		visit(r, kids[0], kind == CXUnaryOperator_AddrOf ? READS | WRITES : READS);
	}
	free(kids);
}

static void
visit_assignment(struct clang_reader *r, CXCursor c)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);
	bool		 updates = clang_getCursorKind(c) == CXCursor_CompoundAssignOperator;

	if (n == 2) {
		visit(r, clang_plain(kids[0]), updates ? READS | WRITES : WRITES);
		visit(r, kids[1], READS);
	}
	free(kids);
}

/* ---- loops ---- */

static enum CXChildVisitResult
note_bound(CXCursor c, CXCursor parent, CXClientData data)
{
	struct clang_reader	*r = data;
	size_t			 param = clang_param(r, c);

	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr && param < r->to->n)
		r->to->params[param].is_bound = true;
	return CXChildVisit_Recurse;
}

bool
clang_loop_start(CXCursor c, CXCursor *variable, CXCursor *value)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);
	bool		 is_declared = clang_getCursorKind(c) == CXCursor_DeclStmt && n >= 1;
	bool		 is_known = false;

	if (is_declared) {
		size_t		 m;
		CXCursor	*inner = clang_children(kids[0], &m);

		*variable = kids[0];
		is_known = m > 0 && clang_isExpression(clang_getCursorKind(inner[m - 1]));
		*value = is_known ? inner[m - 1] : clang_getNullCursor();
		free(inner);
	} else if (n == 2 && clang_getCursorKind(c) == CXCursor_BinaryOperator &&
	    clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign) {
		*variable = clang_getCursorReferenced(clang_plain(kids[0]));
		*value = kids[1];
		is_known = true;
	}
	free(kids);
	return is_known;
}

static void
loop_end(struct clang_reader *r, CXCursor condition, CXCursor value, struct clang_loop *loop)
{
	bool			is_lower = false;
	const struct poly	end = clang_bound(r, condition, loop->variable, &is_lower);
	const struct poly	start = clang_extreme(r, value, is_lower);

	loop->first = is_lower ? end : start;
	loop->last = is_lower ? start : end;
}

static void
visit_for(struct clang_reader *r, CXCursor c)
{
	size_t			 n;
	CXCursor		*kids = clang_children(c, &n), value;
	struct clang_loop	 loop;
	bool			 is_plain = n == 4 && r->nloops < CLANG_MAX_LOOPS &&
				    clang_loop_start(kids[0], &loop.variable, &value);

	if (is_plain) {
		loop_end(r, kids[1], value, &loop);
		r->loops[r->nloops++] = loop;
	}
	for (size_t i = 0; n == 4 && i < 2; i++) {
		(void)note_bound(kids[i], kids[i], r);
		(void)clang_visitChildren(kids[i], note_bound, r);
	}
	for (size_t i = 0; i < n; i++)
		visit(r, kids[i], READS);
	r->nloops -= is_plain;
	free(kids);
}

/* ---- all ---- */

/* A pointer that another function gets may be read and written there. */
static void
note_escaping(struct clang_reader *r, CXCursor call)
{
	size_t		 n;
	CXCursor	*kids = clang_children(call, &n);

	for (size_t i = 1; i < n; i++) {
		struct bases	b = { .n = 0 };

		find_bases(r, kids[i], poly_number(0), &b);
		for (size_t k = 0; k < b.n; k++)
			r->to->params[b.at[k].param].is_escaping |=
			    r->to->params[b.at[k].param].is_pointer;
	}
	free(kids);
}

static void
visit_children(struct clang_reader *r, CXCursor c)
{
	size_t		 n;
	CXCursor	*kids = clang_children(c, &n);

	for (size_t i = 0; i < n; i++)
		visit(r, kids[i], READS);
	free(kids);
}

static void
visit(struct clang_reader *r, CXCursor c, enum access how)
{
	enum CXCursorKind	kind = clang_getCursorKind(c);

	if (r->depth >= CLANG_MAX_DEPTH)
		return;
	r->depth++;
	if (kind == CXCursor_ForStmt)
		visit_for(r, c);
	else if (kind == CXCursor_ArraySubscriptExpr)
		visit_element(r, c, how);
	else if (kind == CXCursor_MemberRefExpr)
		visit_member(r, c, how);
	else if (kind == CXCursor_UnaryOperator)
		visit_unary(r, c, how);
	else if (kind == CXCursor_CompoundAssignOperator ||
	    (kind == CXCursor_BinaryOperator &&
	    clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign))
		visit_assignment(r, c);
	else {
		if (kind == CXCursor_CallExpr)
			note_escaping(r, c);
		visit_children(r, c);
	}
	r->depth--;
}

static bool
is_factor(const struct poly *with, const char *name)
{
	for (size_t i = 0; i < with->n; i++)
		if (strcmp(with->terms[i].product, name) != 0)
			return true;
	return false;
}

/* lda in A[j*lda+i]: one more than the rest of the index, which the factor must pass. */
static void
find_stride(struct derived *d, struct derived_param *p)
{
	for (size_t i = 0; i < d->n; i++) {
		for (size_t k = 0; k < d->params[i].ndims; k++) {
			struct derived_dim	*dim = &d->params[i].dims[k];

			for (size_t e = 0; e < dim->n; e++) {
				struct poly	with = poly_part(dim->extents[e], p->name, true);
				struct poly	rest = poly_part(dim->extents[e], p->name, false);

				if (!with.is_known || !is_factor(&with, p->name))
					continue;
				rest = poly_larger(rest, poly_number(1));
				p->stride = p->has_stride ? poly_larger(p->stride, rest) : rest;
				p->has_stride = true;
			}
		}
	}
}

void
clang_walk(struct clang_reader *r)
{
	struct derived	*d = r->to;

	visit(r, r->body, READS);
	for (size_t i = 0; i < d->n; i++)
		if (!d->params[i].is_bound)
			find_stride(d, &d->params[i]);
	for (size_t i = 0; i < d->n; i++)
		for (size_t k = 0; k < d->params[i].ndims; k++)
			for (size_t e = 0; e < d->params[i].dims[k].n; e++)
				for (size_t s = 0; s < d->n; s++)
					if (d->params[s].has_stride)
						d->params[i].dims[k].extents[e] = poly_with(
						    d->params[i].dims[k].extents[e],
						    d->params[s].name, d->params[s].stride);
}

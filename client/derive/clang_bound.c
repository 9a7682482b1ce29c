/* SPDX-License-Identifier: Apache-2.0 */
/* The condition of a loop, solved for the loop's variable. */
#include <stdio.h>
#include <stdlib.h>

#include "client/derive/clang_parts.h"

#define UNSOLVED	"$"		/* the variable's name in a condition */

/* left < right, or left <= right */
struct comparison {
	CXCursor	left, right;
	long long	strict;			/* 1: < */
	bool		is_unequal;		/* != */
};

static bool
read_comparison(CXCursor c, struct comparison *out)
{
	const enum CXBinaryOperatorKind	 kind = clang_getCursorBinaryOperatorKind(c);
	const bool			 is_turned = kind == CXBinaryOperator_GT ||
					    kind == CXBinaryOperator_GE;
	const bool			 is_or_equal = kind == CXBinaryOperator_LE ||
					    kind == CXBinaryOperator_GE;
	size_t				 n;
	CXCursor			*kids = clang_children(c, &n);
	const bool			 is_one = n == 2 && (is_turned || is_or_equal ||
					    kind == CXBinaryOperator_LT ||
					    kind == CXBinaryOperator_NE);

	if (is_one)
		*out = (struct comparison){ kids[is_turned], kids[!is_turned], !is_or_equal,
		    kind == CXBinaryOperator_NE };
	free(kids);
	return is_one;
}

/* left - right at its least, with the variable's name in it. */
static struct poly
difference(struct clang_reader *r, const struct comparison *c, CXCursor variable)
{
	struct poly	least;

	if (r->nloops == CLANG_MAX_LOOPS)
		return poly_unknown();
	r->loops[r->nloops++] = (struct clang_loop){ variable, poly_name(UNSOLVED),
	    poly_name(UNSOLVED), UNSOLVED };
	least = poly_sum(clang_extreme(r, c->left, false), clang_extreme(r, c->right, true), -1);
	r->nloops--;
	return least;
}

/* Rounded as C does. */
static struct poly
divided(struct poly p, long long by)
{
	char		text[POLY_TEXT_BYTES], whole[POLY_TEXT_BYTES + 32];
	long long	number;

	if (by == 1 || !p.is_known)
		return p;
	if (poly_is_number(&p, &number))
		return poly_number(number / by);
	poly_text(&p, text);
	(void)snprintf(whole, sizeof whole, "((%s)/%lld)", text, by);
	return poly_name(whole);
}

/* factor * variable + rest < 0, or <= 0 */
static struct poly
solve(struct poly p, long long strict, bool is_unequal, bool *is_lower)
{
	const struct poly	rest = poly_part(p, UNSOLVED, false);
	const struct poly	of_one = poly_coefficient(p, UNSOLVED, 1);
	const struct poly	of_square = poly_coefficient(p, UNSOLVED, 2);
	long long		factor, square;
	bool			is_turned;

	if (!rest.is_known || !poly_is_number(&of_one, &factor) || factor == 0 ||
	    !poly_is_number(&of_square, &square) || square != 0)
		return poly_unknown();
	is_turned = factor < 0;
	if (!is_unequal)
		*is_lower = is_turned;
	factor = is_turned ? -factor : factor;
	if (*is_lower)
		return divided(poly_sum(poly_number(strict + factor - 1), rest,
		    is_turned ? 1 : -1), factor);
	return divided(poly_sum(poly_number(-strict), rest, is_turned ? 1 : -1), factor);
}

struct poly
clang_bound(struct clang_reader *r, CXCursor condition, CXCursor variable, bool *is_lower)
{
	struct comparison	 c;
	struct poly		 bound = poly_unknown();
	size_t			 n;
	CXCursor		*kids;

	condition = clang_plain(condition);
	if (clang_getCursorKind(condition) != CXCursor_BinaryOperator)
		return bound;
	if (read_comparison(condition, &c))
		return solve(difference(r, &c, variable), c.strict, c.is_unequal, is_lower);
	if (clang_getCursorBinaryOperatorKind(condition) != CXBinaryOperator_LAnd)
		return bound;
	kids = clang_children(condition, &n);
	for (size_t i = 0; i < n && !bound.is_known; i++)
		bound = clang_bound(r, kids[i], variable, is_lower);
	free(kids);
	return bound;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/tree/bounds.h"

int64_t
bounds_trip(const struct node *n)
{
	int64_t	span;

	if (n->nlo != 1 || n->nhi != 1 || n->lo[0]->kind != TERM_INT ||
	    n->hi[0]->kind != TERM_INT || n->is_rest || n->ahead > 0 ||
	    __builtin_sub_overflow(n->hi[0]->value, n->lo[0]->value, &span))
		return -1;
	return span <= 0 ? 0 : (span - 1) / n->step + 1;
}

bool
bounds_coefficient(const struct term *t, const struct symbol *s, int64_t *out)
{
	int64_t	x, y;

	*out = 0;
	if (t->kind == TERM_NAME)
		return *out = t->symbol == s, true;
	if (!term_uses((struct term *)(uintptr_t)t, s))
		return true;
	if (t->kind == TERM_CAST)
		return bounds_coefficient(t->a[0], s, out);
	if (term_is(t, TERM_UNARY, "-")) {
		if (!bounds_coefficient(t->a[0], s, &x) || x == INT64_MIN)
			return false;
		return *out = -x, true;
	}
	if (t->kind != TERM_BINARY || !t->is_int)
		return false;
	if (strcmp(t->op, "*") == 0) {
		const struct term	*factor = t->a[t->a[0]->kind == TERM_INT ? 0 : 1];

		return factor->kind == TERM_INT && bounds_coefficient(t->a[factor == t->a[0]], s,
		    &x) && !__builtin_mul_overflow(x, factor->value, out);
	}
	if (!bounds_coefficient(t->a[0], s, &x) || !bounds_coefficient(t->a[1], s, &y))
		return false;
	if (strcmp(t->op, "+") == 0)
		return !__builtin_add_overflow(x, y, out);
	return strcmp(t->op, "-") == 0 && !__builtin_sub_overflow(x, y, out);
}

bool
bounds_use(const struct node *n, const struct symbol *s)
{
	for (size_t i = 0; i < n->nlo; i++)
		if (term_uses(n->lo[i], s))
			return true;
	for (size_t i = 0; i < n->nhi; i++)
		if (term_uses(n->hi[i], s))
			return true;
	return false;
}

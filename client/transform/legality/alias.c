/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two names may stand for one piece of memory.  Equal dataflow is found under the premise that
 * they do not; so every pair, one of it written, must be apart by what the source, the spec or the
 * script says.
 */
#include <string.h>

#include "client/transform/legality/alias.h"

static bool
is_pointed(const struct symbol *s)
{
	return s->is_pointer && !s->is_made;
}

/* The element types let a compiler take two objects to be different ones. */
static bool
is_other_type(const struct symbol *x, const struct symbol *y)
{
	const char	*a = x->element, *b = y->element;

	if (strstr(a, "char") != NULL || strstr(b, "char") != NULL)
		return false;
	if (strncmp(a, "unsigned ", 9) == 0)
		a += 9;
	if (strncmp(b, "unsigned ", 9) == 0)
		b += 9;
	if (x->is_record || y->is_record)
		return false;
	return strcmp(a, b) != 0;
}

static bool
may_overlap(const struct work *w, const struct symbol *x, const struct symbol *y)
{
	if (!is_pointed(x) && !is_pointed(y))
		return false;
	if (work_is_restrict(w, x) || work_is_restrict(w, y))
		return false;
	if ((x->kind == SYMBOL_LOCAL || x->kind == SYMBOL_STATIC) && !x->is_pointer)
		return false;
	if ((y->kind == SYMBOL_LOCAL || y->kind == SYMBOL_STATIC) && !y->is_pointer)
		return false;
	if (w->is_distinct && x->kind == SYMBOL_ARGUMENT && y->kind == SYMBOL_ARGUMENT)
		return false;
	return !is_other_type(x, y);
}

static bool
is_written(const struct model *m, const struct symbol *s)
{
	for (size_t i = 0; i < m->nuses; i++)
		if (m->uses[i].is_write && m->uses[i].symbol == s)
			return true;
	return false;
}

static struct place
use_of(const struct model *m, const struct symbol *s)
{
	for (size_t i = 0; i < m->nuses; i++)
		if (m->uses[i].symbol == s)
			return m->uses[i].at;
	return (struct place){ 0, 0, 0 };
}

static enum status
refuse(const struct work *w, const struct model *m, const struct symbol *x,
    const struct symbol *y, struct fault *why)
{
	if (!is_written(m, x)) {
		const struct symbol	*other = x;

		x = y;
		y = other;
	}
	(void)source_refuse(w->source, use_of(m, x), why,
	    "%s is written here and may overlap %s, so no order can be proved", x->name, y->name);
	fault_hint(why, "if they never do, say so: the step `restrict`, or --spec with a spec that "
	    "gives each an operand of its own");
	return ST_BAD_SPEC;
}

enum status
alias_check(const struct work *w, const struct model *m, struct fault *why)
{
	for (unsigned i = 0; i < m->nmemory; i++) {
		const struct symbol	*x = m->memory[i].symbol;

		if (x->is_pointer && x->ndims > 1 && x->dims[1] < 0 && !work_is_restrict(w, x))
			return refuse(w, m, x, x, why);
		for (unsigned k = i + 1; k < m->nmemory; k++) {
			const struct symbol	*y = m->memory[k].symbol;

			if (x != y && (is_written(m, x) || is_written(m, y)) &&
			    may_overlap(w, x, y))
				return refuse(w, m, x, y, why);
		}
	}
	return ST_OK;
}

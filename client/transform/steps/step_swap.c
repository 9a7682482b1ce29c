/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap A B: the two loops change places.  Where ends depend on other loops of the chain, new ends
 * come from the same inequalities, solved for the variables in their new order (Fourier-Motzkin).
 */
#include <string.h>

#include "client/transform/steps/steps.h"

enum { MAX_ROWS = 256 };

/* 0 <= sum of c[i] * variable i + rest */
struct row {
	int64_t		 c[LOOPS_MAX_CHAIN];
	struct term	*rest;
};

struct system {
	struct work		*w;
	const struct step_args	*args;
	struct node		*loops[LOOPS_MAX_CHAIN];	/* in their new order */
	size_t			 n;
	struct row		 rows[MAX_ROWS];
	size_t			 nrows;
};

/* What a loop is, without its body. */
static void
move_head(struct node *to, const struct node *from)
{
	struct node	**kids = to->kids;
	size_t		  nkids = to->nkids;
	const char	 *comment = to->comment;

	*to = *from;
	to->kids = kids;
	to->nkids = nkids;
	to->comment = comment;
}

/* ---- inequalities ---- */

static bool
add_row(struct system *s, struct term *t, int64_t sign, const struct symbol *var)
{
	struct arena	*a = s->w->arena;
	struct row	*r = &s->rows[s->nrows];
	int64_t		 c;

	if (s->nrows == MAX_ROWS)
		return false;
	*r = (struct row){ .rest = t };
	for (size_t i = 0; i < s->n; i++) {
		if (!bounds_coefficient(t, s->loops[i]->var, &c))
			return false;
		r->c[i] = sign * c + (s->loops[i]->var == var ? -sign : 0);
		r->rest = term_replace(a, r->rest, s->loops[i]->var, term_int(a, 0));
	}
	r->rest = sign > 0 ? term_plus(a, r->rest, -1) :
	    term_binary(a, "-", term_int(a, 0), r->rest);
	s->nrows++;
	return true;
}

static bool
add_loop(struct system *s, const struct node *l)
{
	if (l->step != 1 || l->is_down || l->is_rest || l->ahead > 0)
		return false;
	for (size_t i = 0; i < l->nlo; i++)
		if (!add_row(s, l->lo[i], -1, l->var))
			return false;
	for (size_t i = 0; i < l->nhi; i++)
		if (!add_row(s, l->hi[i], 1, l->var))
			return false;
	return true;
}

static bool
is_same_row(const struct system *s, const struct row *x, const struct row *y)
{
	return memcmp(x->c, y->c, s->n * sizeof x->c[0]) == 0 && term_is_equal(x->rest, y->rest);
}

static void
keep(struct system *s, const struct row *r)
{
	bool	empty = true;

	for (size_t i = 0; i < s->n; i++)
		empty = empty && r->c[i] == 0;
	if (empty)
		return;			/* holds, or the nest is empty: inner ends see to that */
	for (size_t i = 0; i < s->nrows; i++)
		if (is_same_row(s, &s->rows[i], r))
			return;
	s->rows[s->nrows++] = *r;
}

/* Rows without variable `at`, which is solved for by then; false: not with whole numbers. */
static bool
eliminate(struct system *s, size_t at)
{
	struct row	old[MAX_ROWS];
	size_t		n = s->nrows;

	memcpy(old, s->rows, sizeof old);
	s->nrows = 0;
	for (size_t i = 0; i < n; i++) {
		if (old[i].c[at] == 0)
			keep(s, &old[i]);
		for (size_t k = 0; old[i].c[at] > 0 && k < n; k++) {
			struct row	sum = old[i];

			if (old[k].c[at] >= 0)
				continue;
			if (old[i].c[at] != 1 || old[k].c[at] != -1 || s->nrows == MAX_ROWS)
				return false;
			for (size_t v = 0; v < s->n; v++)
				sum.c[v] += old[k].c[v];
			sum.rest = term_binary(s->w->arena, "+", sum.rest, old[k].rest);
			keep(s, &sum);
		}
	}
	return true;
}

/* ---- new ends ---- */

/* The variable on one side: the bound on the other. */
static struct term *
solve(const struct system *s, const struct row *r, size_t at)
{
	struct arena	*a = s->w->arena;
	struct term	*sum = NULL, *part;

	for (size_t i = 0; i < at; i++) {
		int64_t	c = r->c[at] > 0 ? -r->c[i] : r->c[i];

		if (c == 0)
			continue;
		part = term_times(a, term_name(a, s->loops[i]->var), c < 0 && sum != NULL ? -c : c);
		sum = sum == NULL ? part : term_binary(a, c < 0 ? "-" : "+", sum, part);
	}
	part = r->rest;
	if (r->c[at] > 0)
		return sum == NULL ? term_binary(a, "-", term_int(a, 0), part) :
		    term_binary(a, "-", sum, part);
	return sum == NULL ? part : term_binary(a, "+", sum, part);
}

static void
add_end(struct arena *a, struct term ***list, size_t *n, struct term *t)
{
	struct term	**more;

	for (size_t i = 0; i < *n; i++)
		if (term_is_equal((*list)[i], t))
			return;
	more = arena_take(a, (*n + 1) * sizeof *more);
	if (*n > 0)
		memcpy(more, *list, *n * sizeof *more);
	more[(*n)++] = t;
	*list = more;
}

/* Of two constants only the one that counts stays. */
static void
tidy(struct term **list, size_t *n, bool is_end)
{
	for (size_t i = 0; i < *n; i++) {
		for (size_t k = i + 1; k < *n; k++) {
			if (list[i]->kind != TERM_INT || list[k]->kind != TERM_INT)
				continue;
			if ((list[k]->value < list[i]->value) == is_end)
				list[i] = list[k];
			list[k--] = list[--*n];
		}
	}
}

static bool
set_ends(struct system *s, size_t at)
{
	struct arena	*a = s->w->arena;
	struct node	*l = s->loops[at];

	l->lo = l->hi = NULL;
	l->nlo = l->nhi = 0;
	for (size_t i = 0; i < s->nrows; i++) {
		const struct row	*r = &s->rows[i];

		if (r->c[at] == 1)
			add_end(a, &l->lo, &l->nlo, solve(s, r, at));
		else if (r->c[at] == -1)
			add_end(a, &l->hi, &l->nhi, term_plus(a, solve(s, r, at), 1));
		else if (r->c[at] != 0)
			return false;
	}
	tidy(l->lo, &l->nlo, false);
	tidy(l->hi, &l->nhi, true);
	return l->nlo > 0 && l->nhi > 0;
}

static enum status
solve_all(struct system *s, struct fault *why)
{
	struct node	old[LOOPS_MAX_CHAIN];
	bool		can = true;

	for (size_t i = 0; i < s->n; i++)
		old[i] = *s->loops[i];
	for (size_t i = 0; i < s->n && can; i++)
		can = add_loop(s, &old[i]);
	for (size_t i = s->n; i-- > 0 && can;)
		can = set_ends(s, i) && eliminate(s, i);
	if (can)
		return ST_OK;
	(void)script_refuse(s->w->script, s->args->step, why, "the ends of these loops depend on "
	    "each other in a way that cannot be turned round with steps of 1");
	fault_hint(why, "swap loops before they are tiled or unrolled");
	return ST_BAD_SPEC;
}

/* ---- the step ---- */

static bool
is_rectangular(const struct chain *c, size_t from, size_t to)
{
	for (size_t i = from; i <= to; i++)
		for (size_t k = from; k <= to; k++)
			if (bounds_use(c->loops[i], c->loops[k]->var))
				return false;
	return true;
}

static enum status
swap_skewed(struct work *w, const struct step_args *args, const struct chain *c, size_t from,
    size_t to, struct fault *why)
{
	struct system	*s = arena_take(w->arena, sizeof *s);
	struct node	 heads[LOOPS_MAX_CHAIN];
	size_t		 was;
	enum status	 st;

	s->w = w;
	s->args = args;
	s->n = to - from + 1;
	for (size_t i = 0; i < s->n; i++) {
		was = i == 0 ? to : i == s->n - 1 ? from : from + i;
		heads[i] = *c->loops[was];
		s->loops[i] = &heads[i];
	}
	if ((st = solve_all(s, why)) != ST_OK)
		return st;
	for (size_t i = 0; i < s->n; i++)
		move_head(c->loops[from + i], &heads[i]);
	return ST_OK;
}

enum status
step_swap(struct work *w, const struct step_args *args, struct fault *why)
{
	const char	*names[SCRIPT_MAX_ITEMS] = { args->names[0] };
	struct chain	 c;
	struct node	 head;
	size_t		 from, to;
	enum status	 st;

	names[1] = args->nnames == 2 ? args->names[1] : args->nwords == 2 ? args->words[1] : NULL;
	if (names[1] == NULL)
		return script_refuse(w->script, args->step, why, "swap needs two loops");
	if ((st = loops_chain(w, args->step, names, 2, true, &c, why)) != ST_OK)
		return st;
	from = c.named[0] < c.named[1] ? c.named[0] : c.named[1];
	to = c.named[0] < c.named[1] ? c.named[1] : c.named[0];
	if (from == to)
		return script_refuse(w->script, args->step, why, "these are one loop");
	if (is_rectangular(&c, from, to)) {
		head = *c.loops[from];
		move_head(c.loops[from], c.loops[to]);
		move_head(c.loops[to], &head);
	} else if ((st = swap_skewed(w, args, &c, from, to, why)) != ST_OK) {
		return st;
	}
	c.top.region->is_changed = c.top.region->is_reordered = true;
	return ST_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * portfolio: several strategies share what is known, and a bandit deals the proposals out.  A
 * member's credit is how often its last proposals were a new best, the late ones counting more
 * (area under the curve, as OpenTuner has it), and a bonus for members that are rarely used.  The
 * model learns from what all have seen: it has all proposals but each MODELS_SHARE-th.
 */
#include <math.h>

#include "client/search/strategy/strategy_impl.h"

enum { WINDOW = 30, MODEL = 0, MODELS_SHARE = 3 };
#define CURIOSITY	0.05

static const struct strategy_kind *const	members[] = {
	&strategy_model, &strategy_hill, &strategy_direct, &strategy_genetic, &strategy_crs2,
	&strategy_nelder_mead, &strategy_annealing, &strategy_random,
};
enum { MEMBERS = sizeof members / sizeof members[0] };

struct portfolio {
	struct strategy	*member[MEMBERS];	/* owned */
	bool		 won[WINDOW];		/* of the last proposals, a ring */
	unsigned	 by[WINDOW];
	size_t		 n, proposals;		/* n: those with a value so far */
	double		 best;
};

static enum status
open(struct strategy *s, struct fault *why)
{
	struct portfolio	*f = s->own;
	enum status		 st = ST_OK;

	f->best = INFINITY;
	for (unsigned i = 0; st == ST_OK && i < MEMBERS; i++) {
		st = strategy_open(&f->member[i], members[i], s->grid, dice_bits(&s->dice),
		    s->trail, why);
		if (st == ST_OK)
			f->member[i]->by = i;
	}
	return st;
}

static void
close(struct strategy *s)
{
	struct portfolio	*f = s->own;

	for (unsigned i = 0; i < MEMBERS; i++)
		strategy_free(f->member[i]);
}

static double
credit(const struct portfolio *f, unsigned member)
{
	const size_t	last = f->n < WINDOW ? f->n : WINDOW;
	double		area = 0, most = 0, uses = 0;

	for (size_t i = 0; i < last; i++) {
		size_t	at = (f->n - last + i) % WINDOW;

		if (f->by[at] != member)
			continue;
		uses++;
		most += uses;
		area += f->won[at] ? uses : 0;
	}
	return uses == 0 ? INFINITY :
	    area / most + CURIOSITY * sqrt(2 * log((double)last) / uses);
}

/* The best not yet asked; the earlier of equals. */
static unsigned
pick(const struct portfolio *f, unsigned asked)
{
	double		most = -1;
	unsigned	best = 0;

	for (unsigned i = 0; i < MEMBERS; i++) {
		double	c = credit(f, i);

		if ((asked & 1u << i) == 0 && c > most) {
			most = c;
			best = i;
		}
	}
	return best;
}

static bool
next(struct strategy *s, struct point *p)
{
	struct portfolio	*f = s->own;
	unsigned		 asked = 0;

	if (f->proposals++ % MODELS_SHARE != 0) {
		if (strategy_next(f->member[MODEL], p))
			return true;
		asked |= 1u << MODEL;
	}
	while (asked != (1u << MEMBERS) - 1) {
		unsigned	at = pick(f, asked);

		if (strategy_next(f->member[at], p))
			return true;
		asked |= 1u << at;
	}
	return false;
}

static void
saw(struct strategy *s, const struct point *p, double value)
{
	struct portfolio	*f = s->own;
	const unsigned		 by = trail_find(s->trail, grid_id(s->grid, p))->by;
	struct strategy		*m = f->member[by];

	f->won[f->n % WINDOW] = value < f->best;
	f->by[f->n++ % WINDOW] = by;
	f->best = fmin(f->best, value);
	if (m->kind->saw != NULL)
		m->kind->saw(m, p, value);
}

const struct strategy_kind	strategy_portfolio = {
	.name = "portfolio",
	.bytes = sizeof(struct portfolio), .places = true, .open = open, .next = next, .saw = saw,
	.close = close,
};

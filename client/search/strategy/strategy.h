/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STRATEGY_STRATEGY_H
#define ASSAY_CLIENT_SEARCH_STRATEGY_STRATEGY_H

#include "client/search/strategy/trail.h"

/*
 * Ways to search a space for its least value, all with one interface.  A strategy proposes points
 * of the space, none twice; the caller finds their values in any way and hands them back.  The same
 * space, seed and order of calls give the same points.
 *
 *	strategy_new(&s, "portfolio", &grid, seed, &why);
 *	while (strategy_propose(s, 1, &point) > 0)
 *		strategy_observe(s, &point, value_of(&point));
 *
 * Each strategy is a file of this folder; strategy_impl.h says how to add one.
 */
struct strategy;

/* The space is borrowed.  ST_BAD_REQUEST: there is no such name; the hint has those that are. */
enum status	 strategy_new(struct strategy **, const char *name, const struct grid *,
		    uint64_t seed, struct fault *);
void		 strategy_free(struct strategy *);		/* NULL is fine */

/*
 * At most n points.  A strategy that needs a value first fills up with neighbours of the best
 * point.  0: no point is left, or values of all proposals must be observed first.
 */
size_t		 strategy_propose(struct strategy *, size_t n, struct point *);
/* A point of the caller's own, to be observed like the others: it is not proposed any more. */
enum status	 strategy_claim(struct strategy *, const struct point *);
/*
 * ST_OK also for a point that was neither proposed nor claimed.  A value below STRATEGY_LEAST is
 * that: strategies look at logarithms.
 */
#define STRATEGY_LEAST	1e-3
enum status	 strategy_observe(struct strategy *, const struct point *, double value,
		    struct fault *);

const struct trail	*strategy_trail(const struct strategy *);

/* The n-th strategy's name and what it does; NULL past the last. */
const char	*strategy_name(size_t n);
const char	*strategy_text(size_t n);

#endif

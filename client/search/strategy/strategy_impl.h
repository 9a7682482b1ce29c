/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STRATEGY_STRATEGY_IMPL_H
#define ASSAY_CLIENT_SEARCH_STRATEGY_STRATEGY_IMPL_H

#include "client/search/strategy/strategy.h"

/*
 * For the strategies.  A new one is a file with a struct strategy_kind, a line below, and a line in
 * the table of strategy.c.
 */
struct strategy_kind {
	const char	*name;
	size_t		 bytes;		/* of `own`, zeroed */
	bool		 places;	/* `next` puts its points on the trail itself */
	enum status	(*open)(struct strategy *, struct fault *);	/* NULL: nothing to do */
	/*
	 * The next point wanted.  It may be known, in flight or outside of the space: then it is
	 * not proposed, and `saw` gets its value (outside: INFINITY).  False: it waits for a value,
	 * or has no wish.
	 */
	bool		(*next)(struct strategy *, struct point *);
	/* The value of a point that `next` gave.  NULL: it does not matter. */
	void		(*saw)(struct strategy *, const struct point *, double value);
	void		(*close)(struct strategy *);			/* NULL: nothing to do */
};

struct strategy {
	const struct strategy_kind	*kind;
	const struct grid		*grid;		/* borrowed */
	struct trail			*trail;		/* owned unless shared */
	struct dice			 dice;
	void				*own;		/* owned; the kind's bytes */
	unsigned			 by;		/* its number in a portfolio */
	bool				 is_shared;	/* the trail is the portfolio's */
	bool				 holds;		/* held waits for its value */
	struct point			 held;
};

extern const struct strategy_kind	strategy_exhaustive, strategy_random, strategy_hill;
extern const struct strategy_kind	strategy_nelder_mead, strategy_sbplx, strategy_direct;
extern const struct strategy_kind	strategy_crs2, strategy_genetic, strategy_annealing;
extern const struct strategy_kind	strategy_model, strategy_portfolio;

/* A member of a portfolio: it shares the trail. */
enum status	 strategy_open(struct strategy **, const struct strategy_kind *,
		    const struct grid *, uint64_t seed, struct trail *shared, struct fault *);
/* One new point of the kind's own, put on the trail.  False: it waits, or goes round in circles. */
bool		 strategy_next(struct strategy *, struct point *);

/* A point by chance that is not on the trail.  False: none is left, or none was found. */
bool		 strategy_fresh(struct strategy *, struct point *);
/* The value of a point if that is known or it is outside. */
bool		 strategy_knows(const struct strategy *, const struct point *, double *value);

#endif

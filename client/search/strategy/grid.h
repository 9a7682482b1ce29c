/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STRATEGY_GRID_H
#define ASSAY_CLIENT_SEARCH_STRATEGY_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/search/strategy/dice.h"

/*
 * The grid that strategies search: dimensions with numbered values, and a test that leaves points
 * out.  Pure.  A space may have 2^62 points: nothing here visits them all.
 */
enum { GRID_MAX_DIMENSIONS = 64 };

struct point {
	uint32_t	at[GRID_MAX_DIMENSIONS];	/* the number of each value */
};

/*
 * Whether a point is in the space, as far as its first `known` dimensions decide that.  With all
 * of them known the answer is final.
 */
typedef bool	 grid_admits_fn(void *arg, const struct point *, size_t known);

struct grid {
	size_t		 ndims;
	uint32_t	 values[GRID_MAX_DIMENSIONS];	/* how many; > 0 */
	bool		 ordered[GRID_MAX_DIMENSIONS];	/* values near each other act alike */
	uint64_t	 size;				/* points, those left out included */
	grid_admits_fn	*admits;			/* NULL: all are in */
	void		*arg;				/* borrowed */
};

/* Of ndims, values, admits: the size.  False: there are more points than 2^62. */
bool		 grid_measure(struct grid *);

bool		 grid_admits(const struct grid *, const struct point *);
uint64_t	 grid_id(const struct grid *, const struct point *);
void		 grid_point(const struct grid *, uint64_t id, struct point *);

/*
 * The first point of the space at this one or behind it, in the order of ids.  Whole branches that
 * `admits` leaves out are skipped, and at most *steps tests are made.  False: there is none, or
 * *steps is 0.
 */
bool		 grid_next(const struct grid *, struct point *, uint64_t *steps);

/* A point by chance, all alike if at least one of some hundred is in.  False: none was found. */
bool		 grid_random(const struct grid *, struct dice *, struct point *);

/*
 * Neighbours: one dimension differs, by one place if it is ordered.  Numbered from 0; false: this
 * one is beyond an edge, or left out.
 */
uint64_t	 grid_neighbours(const struct grid *);
bool		 grid_neighbour(const struct grid *, const struct point *, uint64_t number,
		    struct point *);

#endif

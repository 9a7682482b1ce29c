/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STRATEGY_TRAIL_H
#define ASSAY_CLIENT_SEARCH_STRATEGY_TRAIL_H

#include "client/search/strategy/grid.h"
#include "proto/base/fault.h"

/* What a search has paid for: each point once, in the order of their proposals.  Pure. */
struct trial {
	uint64_t	id;
	double		value;		/* the less the better; INFINITY: it failed */
	unsigned	by;		/* the member of a portfolio that proposed it */
	bool		seen;		/* the value is known */
};

struct trail {
	struct trial	*trial;		/* owned; n */
	uint32_t	*slot;		/* owned; of a hash table: place in trial + 1, 0: free */
	size_t		 n, room, slots, nseen;
	size_t		 best;		/* place of the least value; n: none is finite yet */
};

enum status	 trail_init(struct trail *, struct fault *);
void		 trail_release(struct trail *);		/* zeroed memory is fine */

struct trial	*trail_find(const struct trail *, uint64_t id);	/* NULL: not proposed */
/* A point that is not in it yet, without a value.  ST_NOMEM. */
enum status	 trail_add(struct trail *, uint64_t id, unsigned by);
/* Once for each. */
void		 trail_see(struct trail *, struct trial *, double value);
const struct trial *trail_best(const struct trail *);	/* NULL: none is finite yet */

#endif

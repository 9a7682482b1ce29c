/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_STEPS_SUGGEST_H
#define ASSAY_CLIENT_TRANSFORM_STEPS_SUGGEST_H

#include "client/transform/work/work.h"

/*
 * Steps that a nest suggests by its shape: lines of a script.  Whether one is possible and legal is
 * for the step to find out.
 */
enum { SUGGEST_MAX = 64, SUGGEST_BYTES = 96 };

struct suggestions {
	char	step[SUGGEST_MAX][SUGGEST_BYTES];
	size_t	n;
};

/* fission, swap, copy transposed, private: another order of the loops. */
void		 suggest_orders(struct work *, struct suggestions *);
/* Of one order: loops in tiles, outer loops jammed, innermost loops unrolled. */
void		 suggest_tiles(struct work *, struct suggestions *);
void		 suggest_jams(struct work *, struct suggestions *);
void		 suggest_unrolls(struct work *, struct suggestions *);

/*
 * A guess at the time of an order, in accesses: those along a line of memory are cheap, those that
 * leave it with each iteration and chains of sums are dear.
 */
double		 suggest_cost(struct work *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_LEGALITY_VERDICT_H
#define ASSAY_CLIENT_TRANSFORM_LEGALITY_VERDICT_H

#include "client/transform/legality/flow.h"

/*
 * Two trees of one nest compute the same if their dataflow is equal: each iteration runs once,
 * each read gets its value from the same write or from the same element as it was before the nest,
 * and what is read after the nest comes from the same write.
 *
 * The textbook's test, that no dependence is turned round, would refuse more: scratch memory that
 * each iteration overwrites.
 */

/* Each iteration runs once. */
enum status	 verdict_instances(const struct model *before, const struct model *after,
		    struct fault *);
/*
 * The flow is equal.  `turned`: where it is most likely not (struct order).  ST_BAD_SPEC with the
 * place and two iterations: the flow differs, or cannot be found.
 */
enum status	 verdict_compare(const struct model *before, const struct model *after,
		    const struct liveness *, isl_union_map *turned, struct fault *);
/*
 * No two iterations of the loop below `depth` others reach one element, one of them to write it:
 * they may run in any order, or at the same time.  The model is of that loop alone.
 */
enum status	 verdict_independent(const struct model *, unsigned depth, struct fault *);
/* Some read of it gets a value from before the nest. */
bool		 verdict_reads_first(struct model *, const struct symbol *);

#endif

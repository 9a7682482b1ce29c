/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_LEGALITY_PAIR_H
#define ASSAY_CLIENT_TRANSFORM_LEGALITY_PAIR_H

#include "client/transform/model/model.h"

/* Two iterations of a relation, in words: "A in line 7 in iteration (r, q) = (0, 1)". */
struct pair {
	char		 from[256], to[256];	/* write, read */
	struct place	 at;			/* of the read, or of the write if it has none */
	bool		 is_final;
	bool		 found;
};

/* One pair of a relation: of reads within the nest if there is one. */
void	 pair_find(const struct model *, isl_union_map *relation, struct pair *);

#endif

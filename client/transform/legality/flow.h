/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_LEGALITY_FLOW_H
#define ASSAY_CLIENT_TRANSFORM_LEGALITY_FLOW_H

#include "client/transform/model/model.h"

struct liveness {
	const struct symbol	**dead;		/* memory that nothing reads after it */
	size_t			  n;
};

/* Accesses over iterations of the original nest, in as few pieces as may be. */
isl_union_map	*flow_original(const struct model *, isl_union_map *accesses);
isl_union_map	*flow_schedule(const struct model *);
unsigned	 flow_symbol_number(const struct source *, const struct symbol *);
/*
 * From each write to the reads that see its value, in iterations of the original nest.  `sinks`:
 * for these reads only; NULL: for all.
 */
isl_union_map	*flow_of(const struct model *, const struct liveness *, isl_set *sinks);

#endif

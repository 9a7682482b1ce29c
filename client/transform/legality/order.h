/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_LEGALITY_ORDER_H
#define ASSAY_CLIENT_TRANSFORM_LEGALITY_ORDER_H

#include "client/transform/model/model.h"

/*
 * Most steps leave every two accesses to one element, one of them a write, in their order: then
 * the flow is equal, and that is found many times faster than the flow itself.
 */
struct order {
	bool		 is_kept;	/* false: the flow may be equal all the same */
	isl_union_map	*turned;	/* owned: access → one that came after it and no longer
					 * does, in iterations of the original nest */
};

void	 order_compare(struct order *, const struct model *before, const struct model *after);
void	 order_release(struct order *);

#endif

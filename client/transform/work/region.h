/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_WORK_REGION_H
#define ASSAY_CLIENT_TRANSFORM_WORK_REGION_H

#include "client/transform/work/work.h"

/* The regions of a routine, in `regions` of the work. */
void		 region_find_all(struct work *);
enum status	 region_prepare(struct work *, struct region *, struct fault *);
/* The symbol occurs in the routine outside the region, where it is more than declared. */
bool		 region_uses_outside(const struct work *, const struct region *,
		    const struct symbol *);

/* A declaration that only names a value, of which other places may make copies or share one. */
bool		 region_is_value(const struct region *, const struct node *);

#endif

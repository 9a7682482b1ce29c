/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_WORK_INDICES_H
#define ASSAY_CLIENT_TRANSFORM_WORK_INDICES_H

#include "client/transform/model/affine.h"

/* The symbol has no use outside the tree. */
typedef bool	 indices_may_fn(void *arg, const struct symbol *);

/* A copy of the tree in which integers that only hold subscripts and ends are gone. */
struct node	*indices_replace(struct arena *, const struct affine *, struct node *root,
		    indices_may_fn *, void *arg);

#endif

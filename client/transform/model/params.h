/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_MODEL_PARAMS_H
#define ASSAY_CLIENT_TRANSFORM_MODEL_PARAMS_H

#include "client/transform/model/affine.h"

/*
 * The parameters that a region has, and what it assigns: common to all its trees.  `params` is
 * owned by the caller.
 */
isl_space	*params_find(struct arena *, isl_ctx *, struct affine *, struct node *root);

/* Marks the conditions of a tree that depend on data: a model takes these as statements. */
void		 params_mark(struct arena *, const struct affine *, struct node *root);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_MODEL_SHAPE_H
#define ASSAY_CLIENT_TRANSFORM_MODEL_SHAPE_H

#include "client/transform/model/affine.h"

/*
 * An array of one subscript, a[s + 30 * q + 900 * r], seen as the array of several that it is:
 * a[r][q][s].  The same element has the same place in every tree of a nest; isl finds the flow of
 * the second form many times faster.
 */
struct shape {
	struct symbol	*symbol;
	int64_t		 strides[SYMBOL_MAX_DIMS];	/* from the largest; each divides the one
							 * before */
	size_t		 n;
};

/* The shapes of the arrays in a tree; returns how many. */
size_t		 shape_find(struct arena *, const struct affine *, struct node *root,
		    struct shape **out);
const struct shape	*shape_of(const struct affine *, const struct symbol *);

/*
 * The n + 1 subscripts of an element, over iterations of `domain`, into `out`: owned by the caller.
 * False: the subscript is not affine.
 */
bool		 shape_subscripts(struct arena *, const struct affine *, const struct shape *,
		    const struct term *, isl_set *domain, isl_pw_aff **out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_MODEL_AFFINE_H
#define ASSAY_CLIENT_TRANSFORM_MODEL_AFFINE_H

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

#include "client/transform/tree/tree.h"

/*
 * Terms → piecewise affine functions of the loops around them and of integers that the nest does
 * not change.  Division and remainder are C's, by constants only.
 */
enum { AFFINE_MAX_LOOPS = 14 };

struct affine {
	isl_ctx			 *ctx;		/* borrowed */
	isl_space		 *params;	/* borrowed: a set's space without dimensions */
	struct symbol		**written;	/* borrowed: what the nest assigns */
	size_t			  nwritten;
	struct symbol		**counters;	/* borrowed: variables of its loops */
	size_t			  ncounters;
	const struct shape	 *shapes;	/* borrowed: shape.h */
	size_t			  nshapes;
	struct symbol		 *loops[AFFINE_MAX_LOOPS];
	size_t			  n;
};

bool		 affine_is_written(const struct affine *, const struct symbol *);
bool		 affine_is_counter(const struct affine *, const struct symbol *);
bool		 affine_is_around(const struct affine *, const struct symbol *);
/* The name of a parameter for a term: an integer that is not written, or *p of one; NULL: none. */
const char	*affine_param(struct arena *, const struct affine *, const struct term *);
isl_space	*affine_space(const struct affine *);		/* of a point in the loops */
isl_pw_aff	*affine_term(struct arena *, const struct affine *, const struct term *);
isl_set		*affine_condition(struct arena *, const struct affine *, const struct term *);
/* NULL: is not affine.  All are owned by the caller. */

#endif

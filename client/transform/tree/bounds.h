/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_TREE_BOUNDS_H
#define ASSAY_CLIENT_TRANSFORM_TREE_BOUNDS_H

#include "client/transform/tree/tree.h"

/* The number of iterations if that is constant; else -1. */
int64_t		 bounds_trip(const struct node *);
/* The variable's coefficient in a linear term; false: the term is not linear in it. */
bool		 bounds_coefficient(const struct term *, const struct symbol *, int64_t *out);
/* The bounds of the loop use the variable. */
bool		 bounds_use(const struct node *, const struct symbol *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_DIRECT_H
#define ASSAY_WORKER_BUILD_RECIPE_DIRECT_H

#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/recipe.h"

/*
 * The steps of recipes (steps.h).  A driver is asked once for each compiler and command line,
 * macros aside, and the answer is kept.
 */
struct direct;

enum { DIRECT_KEPT = 32 };

enum status	 direct_new(struct direct **, struct fault *);
void		 direct_free(struct direct *);

/*
 * Set the recipe's steps; they last until DIRECT_KEPT other command lines were asked about.  NULL:
 * its driver builds it, because it must or because its answer is not understood, which is logged.
 * `where` has the jail's place; its limit of time is not used.  ST_CANCELLED; otherwise ST_OK.
 */
enum status	 direct_set(struct direct *, struct recipe *, const struct scratch *,
		    const struct compile *where);

#endif

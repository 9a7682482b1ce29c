/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_RUN_H
#define ASSAY_WORKER_BUILD_RECIPE_RUN_H

#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/inproc.h"
#include "worker/build/recipe/recipe.h"

/*
 * Build a recipe's object into result_fd: by the compiler that is kept, if the recipe is for it; by
 * its steps where it has them; else by the driver.  `where` has the jail's place and its limits.
 */
void	 recipe_run(struct recipe *, const struct scratch *, struct inproc *,
	    const struct compile *where, int result_fd, struct compiled *);

#endif

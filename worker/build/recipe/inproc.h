/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_INPROC_H
#define ASSAY_WORKER_BUILD_RECIPE_INPROC_H

#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/recipe.h"

/*
 * The compiler clang-inproc: clang's library in a process that stays (clang_inproc.cc).  This
 * template lives in a jail that may write no file, and forks a child for each source.  The linker
 * then runs in a build jail of its own.
 */
struct inproc;

enum status	 inproc_new(struct inproc **, struct fault *);
void		 inproc_free(struct inproc *);		/* ends the template */

bool		 inproc_is_for(const struct recipe *);

/*
 * Build such a recipe, whose files are in the directory of `order`; words and steps of the order
 * aside.  false: it has to be built by the program as a driver, in a jail of its own; so has one
 * whose compiler crashed or met a limit, which shows the reason.
 */
bool		 inproc_run(struct inproc *, const struct recipe *, const struct scratch *,
		    const struct compile *order, struct compiled *);

#endif

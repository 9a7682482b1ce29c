/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_BAY_H
#define ASSAY_WORKER_BENCH_BAY_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * The directory that a runner sees, read-only, as its working directory.  Objects come in from the
 * artifact cache just before they are loaded and go out again right after.
 */
struct bay {
	char	path[4000];		/* "": not made */
};

enum status	 bay_make(struct bay *, const char *scratch_dir, struct fault *);
enum status	 bay_put(struct bay *, const char *object_path, const char *name, struct fault *);
void		 bay_take(struct bay *, const char *name);
void		 bay_remove(struct bay *);	/* with its contents; harmless when not made */


#endif

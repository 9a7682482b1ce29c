/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_SCRATCH_H
#define ASSAY_WORKER_CACHE_SCRATCH_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * A builder's directory for sources, emptied before each build.  A compiler gets copies of them;
 * where its jail has no mount namespace, it works in this directory itself.
 */
struct scratch {
	char	path[2048];		/* "": not made */
};

/*
 * Make the directory build.PID and remove those of builders that are gone.  It lies in memory if
 * /dev/shm is a tmpfs with room, else below `parent`: on a disk, a compiler's temporary files cost
 * a tenth of its time.
 */
enum status	 scratch_make(struct scratch *, const char *parent, struct fault *);
enum status	 scratch_put(const struct scratch *, const char *name, const void *bytes, size_t n,
		    struct fault *);
/* Make that file a program. */
enum status	 scratch_let_run(const struct scratch *, const char *name, struct fault *);
void		 scratch_empty(const struct scratch *);
void		 scratch_remove(struct scratch *);	/* does nothing if not made */

#endif

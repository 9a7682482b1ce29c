/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_BAY_H
#define ASSAY_WORKER_BENCH_BAY_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/fault.h"

/*
 * The directory that a runner sees, read-only, as its working directory.  Objects come in from the
 * artifact cache just before they are loaded and go out again right after.
 *
 * An object is copied, so that it has pages of its own, drawn anew with each process.  Of files
 * that come and go, tmpfs is quicker than a disk's file system: ext4 looks for an inode that was
 * not used lately, through all that were.  One of more than a mebibyte takes long to copy: it is
 * linked, from a bay in the cache's file system.
 */
struct bay {
	char	path[4000];		/* "": not made */
};

/* links: objects will be linked, so it lies in scratch_dir; otherwise in memory, if it may. */
enum status	 bay_make(struct bay *, const char *scratch_dir, bool links,
		    struct fault *);
bool		 bay_links(const char *object_path);	/* it would be linked, not copied */
enum status	 bay_put(struct bay *, const char *object_path, const char *name, struct fault *);
void		 bay_take(struct bay *, const char *name);
void		 bay_remove(struct bay *);	/* with its contents; harmless when not made */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_JAIL_LAYERS_H
#define ASSAY_WORKER_JAIL_JAIL_LAYERS_H

#include <stdbool.h>

/*
 * Layers of a jail below its namespaces.  Each returns 0, or -1 with errno.  Both last through exec
 * and fork and need no_new_privs.
 */

/*
 * Make system calls fail or kill that neither a compiler nor a runner needs.  A runner's own filter
 * permits fewer later.  traces: it may trace its children.
 */
int	 jail_filter(bool builds, bool traces);

/*
 * Landlock: files are for reading, below `system`, in `dir` and the opened program (-1: none) only;
 * if it builds, `dir` is for writing.  NULL: the system's directories.  In `scratch`, if it is not
 * NULL, plain files may be made, too.  `zero`: /dev/zero may be mapped to write.
 */
int	 jail_landlock(const char *system, const char *dir, const char *scratch, int program_fd,
	    bool builds, bool zero);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_CGROUP_H
#define ASSAY_DAEMON_HOST_CGROUP_H

#include <stdbool.h>

#include "daemon/host/hostfs.h"

/* Facts of cgroup v2, as partition.c, undo.c and delegation.c need it. */
#define CGROUP_MOUNT	"/sys/fs/cgroup"
#define CGROUP_CONTROL	"/cgroup.subtree_control"

/* Is the word in the list?  The list's words are separated by single spaces. */
bool	 cgroup_lists(const char *list, const char *word);

/*
 * Kill all processes in it at once, and remove it when they are gone.  An errno after two seconds
 * in vain.
 */
int	 cgroup_end(const struct hostfs *, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_CGROUP_H
#define ASSAY_DAEMON_HOST_CGROUP_H

#include <stdbool.h>

#include "daemon/host/hostfs.h"

/* What partition.c, undo.c and delegation.c know of cgroup v2. */
#define CGROUP_MOUNT	"/sys/fs/cgroup"
#define CGROUP_CONTROL	"/cgroup.subtree_control"

/* Is the word one of the list, whose words have single spaces between them? */
bool	 cgroup_lists(const char *list, const char *word);

/*
 * Kill who is in it, all at once, and remove it once they are gone; an errno after two seconds in
 * vain.
 */
int	 cgroup_end(const struct hostfs *, const char *path);

#endif

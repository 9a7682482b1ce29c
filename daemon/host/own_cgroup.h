/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_OWN_CGROUP_H
#define ASSAY_DAEMON_HOST_OWN_CGROUP_H

#include <stdbool.h>

#include "daemon/host/hostfs.h"

/*
 * The cgroups that hold this process, as directories below /sys/fs/cgroup: its own first, then each
 * parent, the root of the mount last.  A container may hide its own; of its parents it then sees
 * the root alone.  Some of the directories may not exist.
 *
 * `controller` names a hierarchy of cgroup v1; "": v2.  Stops if fn returns true.
 */
typedef bool	 own_cgroup_fn(void *arg, const char *directory);
void		 own_cgroup_each(const struct hostfs *, const char *controller, own_cgroup_fn *,
		    void *arg);

#endif

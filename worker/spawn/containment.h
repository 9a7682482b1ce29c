/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_CONTAINMENT_H
#define ASSAY_WORKER_SPAWN_CONTAINMENT_H

#include <jansson.h>

/*
 * What holds whatever this worker starts, a compiler or a variant.  New references; NULL: no memory.
 *
 * { namespaces, seccomp, landlock, limits }: limits is "cgroup" where memory and processes of a jail have limits all
 * together, "rlimit" where each process has its own alone.
 */
json_t	*containment_json(void);
json_t	*containment_details_json(void);	/* and { user, mount, pid, net }, the namespaces; reason: why one is missing */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_REAP_H
#define ASSAY_WORKER_JAIL_REAP_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Stand-in for the end of a process namespace, where there is none.  The caller is a child
 * subreaper, so every orphan below it becomes its child sooner or later.  Kill and reap all
 * children but the spared ones until none is left.
 */
void	 reap_children(const pid_t *spared, size_t nspared);

#endif

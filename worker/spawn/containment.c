/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/spawn/cell.h"
#include "worker/spawn/containment.h"
#include "worker/spawn/spawn.h"

struct containment
containment_now(void)
{
	const struct jail_support	*s = jail_support();	/* asked first: it makes a jail, and
								 * that enters the cell */

	return (struct containment){ s->namespaces, s->seccomp, s->landlock,
	    cell_limits() ? "cgroup" : "rlimit", NULL };
}

struct jail_report
containment_details(void)
{
	const struct jail_support	*s = jail_support();

	return (struct jail_report){ containment_now(), s->user, s->mount, s->pid,
	    s->net, s->reason };
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/spawn/cell.h"
#include "worker/spawn/containment.h"
#include "worker/spawn/spawn.h"

json_t *
containment_json(void)
{
	const struct jail_support	*s = jail_support();	/* asked first: it makes a jail, and that enters the cell */

	return json_pack("{s:b, s:b, s:b, s:s}", "namespaces", s->namespaces, "seccomp", s->seccomp, "landlock",
	    s->landlock, "limits", cell_limits() ? "cgroup" : "rlimit");
}

json_t *
containment_details_json(void)
{
	const struct jail_support	*s = jail_support();
	json_t				*o = containment_json(), *more;

	more = json_pack("{s:b, s:b, s:b, s:b, s:s}", "user", s->user, "mount", s->mount, "pid", s->pid, "net", s->net,
	    "reason", s->reason);
	if (o != NULL && more != NULL)
		(void)json_object_update(o, more);
	json_decref(more);
	return o;
}

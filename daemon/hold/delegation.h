/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOLD_DELEGATION_H
#define ASSAY_DAEMON_HOLD_DELEGATION_H

#include <stdbool.h>

#include "daemon/host/hostfs.h"
#include "proto/base/fault.h"

/*
 * The cgroup that this process was started in, divided: a cell for what each builder starts, where
 * memory and processes of all of it together have limits (worker/spawn/cell.h).
 *
 *	OURS			passes the memory and pids controllers on
 *	OURS/supervisor		this process, and its workers after it: who passes controllers on holds no process
 *	OURS/build0, build1, …	one builder's jails each, and nothing else
 *
 * It is ours to divide when it is cgroup v2, has both controllers, may be written to, and holds
 * this process alone: so systemd starts a service that says Delegate=. Started in a "supervisor"
 * that somebody else has made (systemd's DelegateSubgroup=), we have its parent for OURS.
 *
 * A worker and its cell are both below OURS, so it may start others right in there
 * (CLONE_INTO_CGROUP) without root's rights.
 */
enum { DELEGATION_MAX_CELLS = 256 };

struct delegation {
	struct hostfs	 fs;
	char		 path[HOSTFS_PATH_BYTES];	/* of OURS; "": nothing is divided */
	bool		 moved;				/* into "supervisor", by us */
	unsigned	 ncells;
	int		 procs_fd[DELEGATION_MAX_CELLS];	/* owned: each cell's cgroup.procs,
								 * open for writing */
};

/*
 * With n cells at most.  Whoever an earlier process left in such cells is killed.  Other than
 * ST_OK, all is as before: ST_NOT_FOUND, no cgroup v2, or the controllers are not there;
 * ST_CONFLICT, others are in it; ST_DENIED.
 */
enum status	 delegation_open(struct delegation *, const struct hostfs *, unsigned n,
		    struct fault *why);

/* The cells are removed, with whoever is in them, and this process is where it was. */
void		 delegation_release(struct delegation *);

/* Of builder i, borrowed: a process that writes "0" there is in its cell; -1: it has none. */
int		 delegation_cell(const struct delegation *, unsigned i);

#endif

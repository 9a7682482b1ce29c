/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOLD_DELEGATION_H
#define ASSAY_DAEMON_HOLD_DELEGATION_H

#include <stdbool.h>

#include "daemon/host/hostfs.h"
#include "proto/base/fault.h"

/*
 * The cgroup that this process was started in, divided: each builder has a cell for its jails, with
 * common limits on their memory and processes (worker/spawn/cell.h).
 *
 *	OURS			passes the memory and pids controllers on, and so holds no process.
 *	OURS/supervisor		this process, and its workers after it.
 *	OURS/build0, build1, …	the jails of one builder each.
 *
 * OURS must be cgroup v2, have both controllers, be writable, and hold this process alone.  systemd
 * starts a service so if it says Delegate=.  If this process starts in a "supervisor" made by
 * others (systemd's DelegateSubgroup=), OURS is its parent.
 *
 * A worker and its cell are both below OURS, so the worker may start processes right in the cell
 * (CLONE_INTO_CGROUP) without root's rights.
 */
enum { DELEGATION_MAX_CELLS = 256 };

struct delegation {
	struct hostfs	 fs;
	char		 path[HOSTFS_PATH_BYTES];	/* of OURS; "": nothing is divided */
	bool		 moved;				/* this process moved into "supervisor" */
	unsigned	 ncells;
	int		 procs_fd[DELEGATION_MAX_CELLS];	/* owned: each cell's cgroup.procs,
								 * open for writing */
};

/*
 * With n cells at most.  Processes that an earlier daemon left in these cells are killed.  Unless
 * ST_OK, all is as before.  ST_NOT_FOUND: no cgroup v2, or the controllers are missing;
 * ST_CONFLICT: other processes are in it; ST_DENIED.
 */
enum status	 delegation_open(struct delegation *, const struct hostfs *, unsigned n,
		    struct fault *why);

/* The cells are removed with all processes in them, and this process goes back to its old place. */
void		 delegation_release(struct delegation *);

/* Builder i's, borrowed: a process that writes "0" to it enters the cell; -1: it has none. */
int		 delegation_cell(const struct delegation *, unsigned i);

#endif

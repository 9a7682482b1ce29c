/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CELL_H
#define ASSAY_WORKER_CELL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The cgroup of a timing slot, made once by assay-hostd: runners enter it, and where the host has cgroup v2's memory and
 * pids controllers it holds all that a runner starts to one limit together.  Limits for each process are assay-jail's
 * either way.  One per process.
 */

/*
 * procs_fd: its cgroup.procs, open for writing, borrowed; -1: there is none (any more).  Whatever an earlier worker left
 * in it is killed.
 */
void		 cell_open(int procs_fd);

/* For CLONE_INTO_CGROUP, which takes a right to the common ancestor that root has; -1: none. */
int		 cell_dir_fd(void);

/* For those who have no such right: a process that writes "0" moves itself, by the rights of who opened it; -1: none. */
int		 cell_procs_fd(void);

/* Limits for all in it together, before something enters; true: both hold.  bytes 0: no limit. */
bool		 cell_limit(uint64_t bytes, unsigned processes);
bool		 cell_limits(void);			/* what the last cell_limit returned */

/* Kill what is in it. */
void		 cell_kill(void);

/* How many processes of it the kernel has killed for lack of memory, since it was made. */
uint64_t	 cell_oom_kills(void);

#endif

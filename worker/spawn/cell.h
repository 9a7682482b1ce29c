/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_CELL_H
#define ASSAY_WORKER_SPAWN_CELL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The cgroup of a worker's jails, made once: of a timing slot by assay-hostd, of a builder by
 * assayd.  Jails enter it.  It holds them all to one limit together, if the host has cgroup v2's
 * memory and pids controllers.  Limits for each process are assay-jail's either way.  One per
 * process.
 */

/*
 * procs_fd: its cgroup.procs, open for writing, borrowed; -1: there is none (any more).  Processes
 * that an earlier worker left in it are killed.
 */
void		 cell_open(int procs_fd);

/*
 * For CLONE_INTO_CGROUP, which takes a right to the common ancestor that root has; -1: none, or the
 * kernel kills what is cloned into it.
 */
int		 cell_dir_fd(void);

/*
 * For processes without that right: by writing "0" a process moves itself, by the rights of the
 * opener; -1: none.
 */
int		 cell_procs_fd(void);

/* Limits for all in it together, before something enters; true: both hold.  bytes 0: no limit. */
bool		 cell_limit(uint64_t bytes, unsigned processes);
void		 cell_unlimit(void);	/* the jail could not enter: no limit holds it */
bool		 cell_limits(void);			/* do those of the last cell_limit hold? */

/* Kill what is in it, and wait for its end, two seconds at most.  At once where it is empty. */
void		 cell_clear(void);

/*
 * Since it was made: processes that the kernel killed for lack of memory, and processes that it
 * refused.
 */
uint64_t	 cell_oom_kills(void);
uint64_t	 cell_refusals(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_SPACE_H
#define ASSAY_WORKER_SPAWN_SPACE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The way into namespaces: who we are in one, and a child that makes the first steps there. */

struct space_ids {
	char	 uid_map[32], gid_map[32];
};

/* Our effective user and group, as root of a user namespace or as themselves. */
struct space_ids	 space_ids_of_root(void);
struct space_ids	 space_ids_of_ours(void);

/* Of the user namespace that this process has just come into.  Makes system calls only. */
bool			 space_map_ids(const struct space_ids *);

/*
 * While a child is on its way: a handler that ran in it would run in our memory.  What it execs
 * begins with all signals held.  To let them come keeps errno.
 */
void			 space_hold_signals(sigset_t *old);
void			 space_let_signals(const sigset_t *old);

/*
 * A child that shares our memory, with these flags beside CLONE_VM and CLONE_VFORK.  Its function
 * makes system calls only, with signals held; we go on when it has execed or is gone.  -1 with
 * errno.
 */
pid_t			 space_clone(int (*)(void *), void *arg, int flags, int *pidfd);

#endif

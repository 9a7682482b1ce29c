/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_SPAWN_H
#define ASSAY_WORKER_SPAWN_SPAWN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "proto/base/fault.h"

/*
 * Start a program inside assay-jail and make sure that it ends.  The jail is a process group and,
 * where the kernel permits, a set of namespaces of its own; killing it takes the whole tree.
 * Closing the worker (its death included) kills it too.  For a process with one thread.
 */
/* Called now and then while something long goes on; true: stop at once (the order is cancelled). */
typedef bool	 stop_fn(void *arg);

enum jail_phase { JAIL_BUILD, JAIL_TIME };

struct jail_order {
	enum jail_phase	 phase;
	const char	*const *argv;		/* absolute path of the program first;
						 * NULL-terminated */
	/*
	 * NULL, or the number of argv's words that each of several programs has, "20,4,a9,17":
	 * they run one after the other, those aside whose input was not made.  One with an "a" runs
	 * only if the objects of the working directory that it names need nothing else, and is then
	 * the last.
	 */
	const char	*steps;
	/*
	 * absolute; the program's cwd, with the files that it names by relative paths; build:
	 * writable, of a copy where there is a mount namespace; time: read-only
	 */
	const char	*dir;
	/*
	 * NULL, or a file in there that is copied to result_fd, from its start, when the program
	 * has exited with 0; keep_fd is -1 then
	 */
	const char	*result;
	int		 result_fd;		/* a memfd; empty then: there was no such file */
	/*
	 * 0, or: the steps run in so many folders of dir, one after the other, and each one's
	 * result is copied (worker/jail/jail.h)
	 */
	unsigned	 folders;
	/* NULL, or the path of a program of the steps; copy_fd is executed instead (large.h) */
	const char	*copy_of;
	int		 copy_fd;
	int		 cpu;			/* pin to it; -1: wherever the worker may run */
	bool		 stays;			/* and outside of the cell: to clear that
						 * spares it */
	int		 keep_fd;		/* passed on as descriptor 4 (shared memory); -1:
						 * none */
	uint64_t	 memory_bytes;		/* address space limit of each process; 0: none */
	uint64_t	 cell_bytes;		/* memory limit of all together, where there is a
						 * cell; 0: none */
	uint64_t	 scratch_bytes;		/* of a directory that it may write, where there is
						 * a mount namespace; 0: none */
	uint64_t	 file_bytes;		/* largest file it may write; 0: no limit */
	unsigned	 threads;		/* that it may start beside the few that any program
						 * may */
	unsigned	 cpu_s;			/* CPU time limit; 0: none */
	bool		 traces;		/* may trace processes of its own */
	bool		 zero;			/* has /dev/zero; no compiler's, as a source could
						 * include it */
	bool		 realtime;		/* may become SCHED_FIFO (RLIMIT_RTPRIO), where we
						 * may grant it */
	int		 output_fd;		/* its stdout and stderr; -1: /dev/null */
};

struct jailed {
	pid_t		 pid;			/* of assay-jail; 0: not running */
	int		 pidfd;			/* readable when it has ended */
	int		 status_fd, life_fd;	/* spawn.c's own */
};

struct jail_end {
	int		 signal;		/* that killed the program, 0: it exited */
	int		 code;			/* exit code */
	bool		 setup_failed;		/* the jail itself could not be built: ours, not the
						 * program's */
	char		 words[192];		/* setup failed: which step and why */
	struct rusage	 usage;
};

enum status	 jail_spawn(struct jailed *, const struct jail_order *, struct fault *);

/*
 * Wait at most timeout_ms (-1: for ever); false: still running.  Once true, *end is set and the
 * jail is gone whole.
 */
bool		 jail_wait(struct jailed *, int timeout_ms, struct jail_end *end);

/* Kill the whole tree and wait until it is gone.  Harmless when not running. */
void		 jail_kill(struct jailed *);

/*
 * The containment that this kernel and these rights allow, tried out once per process with a jail
 * around /bin/true.  `namespaces`: the program sees neither the host's files nor its processes nor
 * its network.  `reason`: why something is missing, "" when nothing is.
 */
struct jail_support {
	bool		 namespaces, user, mount, pid, net, ipc, uts, cgroup;
	bool		 seccomp, landlock;	/* filters of system calls, rules for files can be
						 * had */
	bool		 works;			/* false: not even the plainest jail can be built */
	char		 reason[192];
};
const struct jail_support *jail_support(void);

/*
 * Jails of this process belong into a cgroup of their own, a slot's or a builder's. procs_fd: its
 * cgroup.procs, opened for writing by a process with the right (worker/spawn/cell.h).  Its
 * processes end now.  A jail that cannot enter runs outside, held by limits for each process alone.
 * It fails if its CPU is out of reach there.
 */
void		 jail_enter_cell(int procs_fd);

/*
 * Leave the host's network for an empty namespace, which all jails of this process are then in: to
 * make one for each takes a fifth of a jail's time.  An ordinary user needs a user namespace around
 * it, and keeps its uid there.  Without permission nothing changes, and each jail gets one if it
 * can.  Before the first jail, PR_SET_PDEATHSIG and any thread of the process.
 */
void		 jail_leave_network(void);

/*
 * Use no namespace even where they are permitted, to try the other way; before the first jail of
 * the process.
 */
void		 jail_without_namespaces(void);

#endif

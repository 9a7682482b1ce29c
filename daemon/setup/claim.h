/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_CLAIM_H
#define ASSAY_DAEMON_SETUP_CLAIM_H

#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"

/*
 * Two daemons that time on one core spoil each other's times, and neither can see why.  So a daemon
 * claims all CPUs of its timing cores: it holds an exclusive flock(2) on the directory
 * /sys/devices/system/cpu/cpuN of each.
 *
 * These directories exist on every host before any daemon, are the same for all users and for any
 * /tmp, and need no right but to read them.  The kernel drops the locks when the process ends.  Any
 * user may hold such a lock to keep daemons out; the error names the process, and share-cpus
 * overrides it.  A container with a /sys of its own has locks of its own.
 *
 * CPUs are locked in ascending order, and a daemon that is refused one drops all.  So no two wait
 * for each other.
 */
struct claim {
	unsigned	 n;
	int		 fd[CPU_SETSIZE];	/* owned; the first n */
	cpu_set_t	 cpus;			/* those that are locked */
	int		 refused;		/* the last CPU that another process had */
};

/*
 * The topology with its timing slots as configured, claimed.  With timing-cpus = free, cores that
 * other daemons have claimed are passed over.  ST_FULL: a CPU is claimed by another daemon.
 *
 * With timing-cpus = next-free it waits for a core, and writes lines to ready_fd: "waiting" and the
 * reason, then "claimed".  ST_CANCELLED: exit_with_fd has ended meanwhile.
 *
 * Compilers and the daemon keep off cores that other daemons have claimed by now.
 */
enum status	 claim_slots(struct claim *, struct topology *, struct config *, struct fault *);
void		 claim_release(struct claim *);

#endif

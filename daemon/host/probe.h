/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_PROBE_H
#define ASSAY_DAEMON_HOST_PROBE_H

#include <stdint.h>
#include <sys/types.h>

#include "daemon/host/site.h"

/*
 * Evidence of how quiet a CPU is.  Knobs say what was asked for; in a virtual machine, and behind a
 * firmware's back, that is not what one gets.
 */
/* A process of ours kept reading the clock; whenever it could not, somebody else ran. */
struct probe_spin {
	bool		 ran;
	uint64_t	 wall_ns;	/* for so long */
	uint64_t	 stolen_ns;	/* in all gaps of more than a microsecond */
	uint64_t	 worst_ns;
	uint64_t	 gaps;
};

struct probe {				/* one running spin */
	pid_t		 pid;		/* 0: none */
	int		 fd;
};

/*
 * Spin on a CPU for so long in a process of its own; a CPU that may not be used ends at once,
 * without having run. slot_fd: see hostd_msg.h; -1: the CPU is open to all.
 */
enum status	 probe_start(struct probe *, int cpu, int slot_fd, unsigned ms, struct fault *);
bool		 probe_done(struct probe *, bool wait, struct probe_spin *);	/* true: it is set, and the process gone */
void		 probe_stop(struct probe *);

struct probe_counters {			/* since boot */
	uint64_t	 interrupts;	/* of all kinds, the timer's too */
	uint64_t	 steal_ticks;	/* of 10 ms: the hypervisor ran somebody else */
	uint64_t	 throttles;	/* core and package: too hot, or over its power limit */
};
void		 probe_counters(const struct hostfs *, int cpu, struct probe_counters *);

#define PROBE_NO_TEMPERATURE	(-1000000)
int		 probe_temperature_mc(const struct hostfs *);	/* hottest sensor, thousandths of a
								 * degree Celsius */

/* The first line of /proc/cpuinfo that starts with `name`: its value; false: none. */
bool		 probe_cpuinfo(const struct hostfs *, const char *name, char *buf, size_t bytes);

#endif

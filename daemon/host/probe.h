/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_PROBE_H
#define ASSAY_DAEMON_HOST_PROBE_H

#include <stdint.h>
#include <sys/types.h>

#include "daemon/host/site.h"

/*
 * Measures how far a CPU is undisturbed.  Knobs only show settings; in a virtual machine, or with
 * firmware, the effect may differ.
 */
/* A process reads the clock without pause; a gap means that something else ran. */
struct probe_spin {
	bool		 ran;
	uint64_t	 wall_ns;	/* duration */
	uint64_t	 stolen_ns;	/* in all gaps of more than a microsecond */
	uint64_t	 worst_ns;
	uint64_t	 gaps;
};

struct probe {				/* one running spin */
	pid_t		 pid;		/* 0: none */
	int		 fd;
};

/*
 * Spin on a CPU for `ms` in a process of its own.  If the CPU may not be used, it ends at once with
 * ran false. slot_fd: see hostd_msg.h; -1: the CPU is open to all.
 */
enum status	 probe_start(struct probe *, int cpu, int slot_fd, unsigned ms, struct fault *);
/* true: *spin is set, and the process has ended. */
bool		 probe_done(struct probe *, bool wait, struct probe_spin *);
void		 probe_stop(struct probe *);

struct probe_counters {			/* since boot */
	uint64_t	 interrupts;	/* of all kinds, including the timer's */
	uint64_t	 steal_ticks;	/* of 10 ms: the hypervisor ran another guest */
	uint64_t	 throttles;	/* core and package: too hot, or over its power limit */
};
void		 probe_counters(const struct hostfs *, int cpu, struct probe_counters *);

#define PROBE_NO_TEMPERATURE	(-1000000)
/* Of the hottest sensor, in thousandths of a degree Celsius. */
int		 probe_temperature_mc(const struct hostfs *);

/* The value of the first line of /proc/cpuinfo that starts with `name`; false: none. */
bool		 probe_cpuinfo(const struct hostfs *, const char *name, char *buf, size_t bytes);

#endif

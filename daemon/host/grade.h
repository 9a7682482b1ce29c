/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_GRADE_H
#define ASSAY_DAEMON_HOST_GRADE_H

#include "daemon/host/probe.h"

/*
 * From evidence to one word: what times taken on this host are good for.
 *	quiet	nothing found that disturbs
 *	usable	times repeat within a few per cent; small differences need many samples
 *	noisy	only large differences can be trusted
 *	unfit	do not time here
 */
enum grade { GRADE_QUIET, GRADE_USABLE, GRADE_NOISY, GRADE_UNFIT, GRADE_N };

struct cpu_evidence {
	int			 cpu;
	struct probe_spin	 spin;		/* the last one; ran = false: none yet */
	struct probe_counters	 now, delta;	/* since boot; over the window */
};

struct grade_facts {
	double			 window_s;	/* what the deltas cover */
	unsigned		 ncpus;
	struct cpu_evidence	 cpu[SITE_MAX_CPUS];	/* the timing CPUs */
	int			 temperature_mc;
	bool			 hypervisor;
	bool			 set_apart;	/* a partition or isolcpus keeps others off the
						 * timing CPUs */
	bool			 shared_core;	/* no CPU is left for compilers and the daemon */
	char			 clocksource[64];
	char			 core_pattern[256];
	char			 partition[256];
};

/* Each reason why it is not quiet, with how bad that is by itself. */
typedef void	 grade_fn(void *arg, enum grade, const char *reason);

const char	*grade_word(enum grade);
enum grade	 grade_evidence(const struct grade_facts *, grade_fn *, void *arg);	/* the worst of all */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_GRADE_H
#define ASSAY_DAEMON_HOST_GRADE_H

#include "daemon/host/container.h"
#include "daemon/host/probe.h"

/*
 * From measurements to one word: the use of times taken on this host.
 *
 *	quiet	nothing found that disturbs.
 *	usable	times repeat within a few per cent; small differences need many samples.
 *	noisy	only large differences can be trusted.
 *	unfit	do not time here.
 */
enum grade { GRADE_QUIET, GRADE_USABLE, GRADE_NOISY, GRADE_UNFIT, GRADE_N };

struct cpu_facts {
	int			 cpu;
	struct probe_spin	 spin;		/* the last one; ran false: none yet */
	struct probe_counters	 now, delta;	/* since boot; over the window */
};

struct grade_facts {
	double			 window_s;	/* time that the deltas cover */
	unsigned		 ncpus;
	struct cpu_facts	 cpu[SITE_MAX_CPUS];	/* the timing CPUs */
	int			 temperature_mc;
	bool			 hypervisor;
	/* a partition or isolcpus keeps other programs off the timing CPUs */
	bool			 set_apart;
	bool			 shared_core;	/* no CPU is left for compilers and the daemon */
	char			 clocksource[64];
	char			 core_pattern[256];
	char			 partition[256];
	struct container	 container;
};

/* Called for each reason against `quiet`, with the grade that it alone would give. */
typedef void	 grade_fn(void *arg, enum grade, const char *reason);

const char	*grade_word(enum grade);
/* The worst of all. */
enum grade	 grade_of(const struct grade_facts *, grade_fn *, void *arg);

#endif

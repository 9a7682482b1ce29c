/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_SITE_H
#define ASSAY_DAEMON_HOST_SITE_H

#include "daemon/host/hostfs.h"
#include "proto/base/cpulist.h"
#include "proto/base/fault.h"

/* A host as the knobs see it: its files, and its timing CPUs. */
enum { SITE_MAX_SLOTS = 64, SITE_MAX_CPUS = 256 };

struct site {
	struct hostfs	 fs;
	unsigned	 nslots;
	cpu_set_t	 slot[SITE_MAX_SLOTS];		/* the CPUs of each */
	/* the first CPU of each, part of its name */
	int		 slot_cpu[SITE_MAX_SLOTS];
	unsigned	 ncpus;				/* of all slots, one slot after the other */
	int		 cpu[SITE_MAX_CPUS];
	unsigned	 slot_of[SITE_MAX_CPUS];
	cpu_set_t	 online;
	cpu_set_t	 timing;			/* the slots' CPUs */
	cpu_set_t	 cores;				/* timing CPUs and their sibling threads */
	cpu_set_t	 house;				/* online, in none of the cores */
};

/*
 * n 0: one slot, on the last online core that cpukind.h does not call slow.  ST_BAD_REQUEST: a CPU
 * is unknown or named twice; ST_IO: no /sys.
 */
enum status	 site_open(struct site *, const struct hostfs *, const cpu_set_t *slot, unsigned n,
		    struct fault *);

/* May these CPUs be set apart?  Not CPU 0, not all CPUs, and no two slots on one core. */
enum status	 site_may_take(const struct site *, struct fault *);

enum status	 site_boot_id(const struct hostfs *, char *buf, size_t bytes, struct fault *);

#endif

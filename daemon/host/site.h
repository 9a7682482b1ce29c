/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_SITE_H
#define ASSAY_DAEMON_HOST_SITE_H

#include "proto/cpulist.h"
#include "daemon/host/hostfs.h"
#include "proto/fault.h"

/* A host as the knobs see it: its files, and which of its CPUs are for timing. */
enum { SITE_MAX_SLOTS = 64 };

struct site {
	struct hostfs	 fs;
	unsigned	 nslots;
	int		 slot_cpu[SITE_MAX_SLOTS];	/* one timing slot each */
	cpu_set_t	 online;
	cpu_set_t	 timing;			/* the slots' CPUs */
	cpu_set_t	 cores;				/* these and the threads that share their cores */
	cpu_set_t	 house;				/* online, and none of the above */
};

/* n = 0: one slot, on the last online CPU's core.  ST_BAD_REQUEST: no such CPU, or twice the same; ST_IO: no /sys. */
enum status	 site_open(struct site *, const struct hostfs *, const int *cpu, unsigned n, struct fault *);

/* May these CPUs be taken from everything else?  Not CPU 0, not all, and no other slot on the same core. */
enum status	 site_may_take(const struct site *, struct fault *);

enum status	 site_boot_id(const struct hostfs *, char *buf, size_t bytes, struct fault *);

#endif

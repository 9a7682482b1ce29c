/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_TOPOLOGY_H
#define ASSAY_DAEMON_SETUP_TOPOLOGY_H

#include <stddef.h>

#include <jansson.h>

#include "proto/base/cpulist.h"
#include "proto/base/fault.h"

enum { TOPOLOGY_MAX_SLOTS = 64 };

/* The timing slots that were asked for. */
struct slot_list {
	unsigned	 n;			/* 0: one slot on the last core */
	cpu_set_t	 cpus[TOPOLOGY_MAX_SLOTS];	/* of each */
	const char	*from;			/* the setting that named them */
};

/*
 * What hwloc knows of this host that timing needs.  Cache sizes come from it and never from
 * sysconf, which reports the whole socket's L3 on a virtual machine that owns a slice.
 */
struct topology {
	unsigned	 ncpus;
	unsigned	 nslots, nhouse;
	cpu_set_t	 slot[TOPOLOGY_MAX_SLOTS];	/* CPUs of each: as configured, or the last
							 * core's first one */
	int		 slot_cpu[TOPOLOGY_MAX_SLOTS];	/* the first of each: where routines without
							 * threads are timed */
	int		 house_cpu[1024];		/* all others that share no core with a
							 * timing CPU; never empty */
	size_t		 l1_bytes, l2_bytes, l3_bytes, line_bytes;	/* of the first timing CPU; 0: none */
	int		 l1_ways, l2_ways, l3_ways;	/* 0: unknown; -1: fully associative */
	unsigned	 slot_cores[TOPOLOGY_MAX_SLOTS], slot_packages[TOPOLOGY_MAX_SLOTS];	/* that the CPUs of each lie in */
	char		 cpu_model[128];
};

enum { TOPOLOGY_MACHINE_BYTES = 320 };
void		 topology_machine(const struct topology *, char out[TOPOLOGY_MACHINE_BYTES]);	/* tells hosts apart */
size_t		 topology_largest_cache(const struct topology *);	/* 0: hwloc reports none */
enum status	 topology_load(struct topology *, const struct slot_list *, const char *sysfs_root,
		    struct fault *);
json_t		*topology_cpus(const cpu_set_t *);	/* their numbers, ascending; new reference */
json_t		*topology_report(const struct topology *);	/* host.get's static part; new
								 * reference */

#endif

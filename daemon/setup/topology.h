/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_TOPOLOGY_H
#define ASSAY_DAEMON_SETUP_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "proto/base/cpulist.h"
#include "proto/base/fault.h"

enum { TOPOLOGY_MAX_SLOTS = 64 };

/* The timing slots in the settings. */
struct slot_list {
	unsigned	 n;			/* 0: one slot on the default core */
	cpu_set_t	 cpus[TOPOLOGY_MAX_SLOTS];	/* of each */
	const char	*from;			/* the setting that names them */
	bool		 any_free;		/* n is 0: a core that is not in `claimed` */
	bool		 waits;			/* with any_free: for a core, if there is none */
	cpu_set_t	 claimed;		/* timing cores of other daemons, as far as known */
};

/* Data caches; bytes 0: none.  ways 0: unknown; -1: fully associative. */
struct topology_caches {
	size_t		 l1_bytes, l2_bytes, l3_bytes, line_bytes;
	int		 l1_ways, l2_ways, l3_ways;
};

/*
 * The part of hwloc's report that timing needs.  Cache sizes come from hwloc and never from
 * sysconf: on a virtual machine that owns a slice, sysconf reports the whole socket's L3.
 */
struct topology {
	unsigned	 ncpus;
	unsigned	 nslots, nhouse;
	/* CPUs of each: as configured, or the first CPU of the default core */
	cpu_set_t	 slot[TOPOLOGY_MAX_SLOTS];
	cpu_set_t	 timing_cores;		/* all CPUs of the slots' cores */
	cpu_set_t	 slow;			/* of a hybrid host's small cores */
	/* first CPU of each, for routines without threads */
	int		 slot_cpu[TOPOLOGY_MAX_SLOTS];
	bool		 disturbs;		/* other daemons time on all of house_cpu */
	/* CPUs that share no core with a timing CPU; never empty */
	int		 house_cpu[1024];
	/* of the first timing CPU; 0: none */
	size_t		 l1_bytes, l2_bytes, l3_bytes, line_bytes;
	int		 l1_ways, l2_ways, l3_ways;	/* 0: unknown; -1: fully associative */
	/* of each slot, the largest of each level among its CPUs */
	struct topology_caches slot_caches[TOPOLOGY_MAX_SLOTS];
	/* of each slot, all CPUs below its last caches */
	cpu_set_t	 slot_shares[TOPOLOGY_MAX_SLOTS];
	/* number of cores and packages of each slot */
	unsigned	 slot_cores[TOPOLOGY_MAX_SLOTS], slot_packages[TOPOLOGY_MAX_SLOTS];
	char		 cpu_model[128];
};

enum { TOPOLOGY_MACHINE_BYTES = 320 };
/* Identifies the host. */
void		 topology_machine(const struct topology *, char out[TOPOLOGY_MACHINE_BYTES]);
/*
 * Hosts of one class have the same CPU model, number of CPUs and caches, so their times may be
 * compared: 12 hexadecimal digits, the same at each start.
 */
enum { TOPOLOGY_CLASS_BYTES = 13 };
void		 topology_class(const struct topology *, char out[TOPOLOGY_CLASS_BYTES]);
/* Of all slots; 0: hwloc reports none. */
size_t		 topology_largest_cache(const struct topology *);
enum status	 topology_load(struct topology *, const struct slot_list *, const char *sysfs_root,
		    struct fault *);
/* Keep compilers and the daemon off CPUs that other daemons have claimed, unless none is left. */
void		 topology_keep_off(struct topology *, const cpu_set_t *claimed);
/* Their numbers, ascending; new reference. */
json_t		*topology_cpus(const cpu_set_t *);
/* The static part of host.get; new reference. */
json_t		*topology_report(const struct topology *);

#endif

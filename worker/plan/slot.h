/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_SLOT_H
#define ASSAY_WORKER_PLAN_SLOT_H

#include <sched.h>
#include <stddef.h>

#include "worker/spawn/spawn.h"

/* A place of timing: CPUs, caches, directories. */
struct slot {
	int		 cpu;			/* the timing CPU; -1: any */
	cpu_set_t	 all;			/* its CPUs, for routines with threads; `cpu`, the
						 * first, need not be in */
	unsigned	 cpus;			/* that the calls of this job may use; 0 is 1 */
	/* data caches, by hwloc; 0: none */
	size_t		 l1_bytes, l2_bytes, l3_bytes, line_bytes;
	unsigned	 l1_ways;		/* 0: not known */
	/* to read before data have left all caches, L1, L2: by calibration; 0: not known */
	size_t		 flush_bytes, flush_l1_bytes, flush_l2_bytes;
	const char	*cache_dir, *scratch_dir;
	const char	*images_dir;	/* of checkpoint images; "" or NULL: there are none */
	stop_fn		*stop;
	void		*stop_arg;
};

#endif

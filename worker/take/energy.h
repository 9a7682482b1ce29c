/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_ENERGY_H
#define ASSAY_WORKER_TAKE_ENERGY_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/perf_event.h>

#include "proto/base/fault.h"

/*
 * Energy by RAPL, as the kernel's PMU "power" counts it: events such as "power/energy-pkg/".  One
 * counts all of a package, whichever process runs there, and the kernel says what a step is.
 */
enum { ENERGY_UNIT = 16 };

struct energy {
	int	 cpu;			/* of the routine's package, which the event is opened on */
	double	 scale;			/* of a step, in `unit` */
	char	 unit[ENERGY_UNIT];	/* "J" */
};

/*
 * The event `name` for a routine that runs on `cpu`.  `sys` is where sysfs is.  ST_NOT_FOUND: this
 * host has no such event; the fault says what is missing.
 */
enum status	 energy_find(struct energy *, struct perf_event_attr *, const char *sys,
		    const char *name, int cpu, struct fault *);

/* The first CPU that the process may run on; 0: not known. */
int		 energy_cpu_of(pid_t);

#endif

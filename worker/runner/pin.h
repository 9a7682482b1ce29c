/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_PIN_H
#define ASSAY_WORKER_RUNNER_PIN_H

#include <sched.h>

#include "proto/wire/runner_shm.h"

/*
 * One process, one CPU (automated timer generation, section 5.1).  A routine with threads has all
 * of the slot.  Its team is bound as it is started (worker/runner/team.h).  The supervisor binds
 * the first thread once the object is loaded, because a library that counts its CPUs does so while
 * it is loaded.
 */
static inline void
rt_pin(const struct runner_setup *setup, int to_slot)
{
	cpu_set_t	only;

	if (setup->cpu < 0)
		return;
	CPU_ZERO(&only);
	CPU_SET((size_t)setup->cpu, &only);
	for (size_t cpu = 0; to_slot && cpu < CPU_SETSIZE; cpu++)
		if (setup->cpus[cpu / 64] >> cpu % 64 & 1)
			CPU_SET(cpu, &only);
	sched_setaffinity(0, sizeof only, &only);	/* the supervisor checks that it holds */
}

#endif

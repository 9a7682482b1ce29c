/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_FOOTPRINT_H
#define ASSAY_WORKER_TRIAL_FOOTPRINT_H

#include "worker/plan/plan.h"

/*
 * Bytes that a runner and a variant may map for a spec by this plan, or by a plan that it may
 * become.  ST_RUN_LIMIT: more than this machine has.
 */
enum status	 footprint_memory(uint64_t *bytes, const struct job *, const struct plan *,
		    const struct slot *, const struct tick *, struct fault *);

/* ST_INTERNAL: a driver allocates other numbers of elements than the spec has. */
enum status	 footprint_check(const struct spec *, const struct runner_driver *, struct fault *);

#endif

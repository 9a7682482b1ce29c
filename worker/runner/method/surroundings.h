/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_SURROUNDINGS_H
#define ASSAY_WORKER_RUNNER_METHOD_SURROUNDINGS_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * The surroundings of cold operands when a call begins, beside the caches: with run->look_up their
 * page tables are in a cache.  With run->pollute inner caches and TLB are full of other data, or
 * all caches are: then page tables are in memory.
 *
 * For the sets of the run's calls in a walk; NULL: for the home set.
 */
void		 rt_surround(const struct rt_timer *, const struct runner_run *,
    const uint32_t *walk);

#pragma GCC visibility pop
#endif

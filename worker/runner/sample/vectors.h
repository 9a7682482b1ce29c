/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_VECTORS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_VECTORS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * Keep the core's vector units awake for so long, in registers alone.  They sleep after 0.7 ms
 * without such work.  256 bits where the core has them, and only light operations: wider or heavier
 * ones would lower the clock of what comes next.
 */
void		 rt_vectors_wake(uint64_t for_ns);

#pragma GCC visibility pop
#endif

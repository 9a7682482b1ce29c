/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_WITNESS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_WITNESS_H

#include "worker/runner/sample/sets.h"

#pragma GCC visibility push(hidden)

/*
 * The working sets that a driver's calls really get.  Its witness, a routine of the timed one's
 * type, hands rt_saw() each pointer that it is called with.  (A published generator's rotation
 * passed one set in 5000 calls and reported hot times as cold.)
 *
 * Let it see `calls` calls of the walk.  Returns how many sets it has seen since the sets were
 * made, of the operand of which it saw the fewest; 0: the driver has no witness, or there is no
 * memory.
 */
uint64_t	 rt_witness_walk(struct rt_sets *, const uint32_t *walk, uint64_t calls);

#pragma GCC visibility pop
#endif

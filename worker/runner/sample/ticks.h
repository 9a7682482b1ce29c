/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_TICKS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_TICKS_H

#include <stdint.h>

#include "worker/runner/sample/rt.h"

/*
 * The finest clock of this processor, for times that are compared with others of their kind alone:
 * its counter of cycles, or nanoseconds where there is none.  Inline, so that nothing but the clock
 * is in the time.
 */
static inline __attribute__((always_inline)) uint64_t
rt_ticks_start(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return rt_cycle_start();
#else
	return rt_wall_start();
#endif
}

/* At most UINT32_MAX. */
static inline __attribute__((always_inline)) uint32_t
rt_ticks_since(uint64_t began)
{
#if defined(__x86_64__) || defined(__aarch64__)
	uint64_t	took = rt_cycle_stop() - began;
#else
	uint64_t	took = rt_wall_stop() - began;
#endif

	return took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
}

#endif

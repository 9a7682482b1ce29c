/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_MEMORY_CANARY_H
#define ASSAY_WORKER_TAKE_MEMORY_CANARY_H

#include "worker/taken/taken.h"

/*
 * Why samples of this plan are not judged by the memory canary, in words that last; NULL: they are.
 */
const char	*memory_canary_off(const struct plan *, const struct gate *);

/* The median of the kept samples' readings, in ticks; 0: there is none. */
uint32_t	 memory_canary_median(const struct take *);

#endif

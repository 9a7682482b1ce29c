/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_MEMORY_CANARY_H
#define ASSAY_WORKER_TAKE_MEMORY_CANARY_H

#include "worker/take/taken.h"


/*
 * Why samples of this plan are not judged by the memory canary, in words that last; NULL: they are.
 */
const char	*memory_canary_off(const struct plan *, const struct gate *);

/*
 * Let the gate learn the canary's worth for these samples, even if it was off.  Only otherwise
 * undisturbed samples count: how often did a loud one take longer than a quiet one (Mann and
 * Whitney's U, over all such pairs)?  Nothing is learnt from fewer than MEMORY_CANARY_LEAST of
 * either.
 */
enum { MEMORY_CANARY_LEAST = 3 };
void		 memory_canary_learn(struct gate *, const struct take *);

#endif

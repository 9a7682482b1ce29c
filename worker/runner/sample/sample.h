/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_SAMPLE_H
#define ASSAY_WORKER_RUNNER_SAMPLE_SAMPLE_H

#include "worker/runner/sample/sets.h"

#pragma GCC visibility push(hidden)

/* Is this an order that can be carried out with these working sets? */
int		 rt_run_is_sound(const struct rt_sets *, const struct runner_run *);

/* Carry it out: run->samples samples of the routine (or of the driver's empty one) into `lane`. */
void		 rt_run_samples(struct rt_sets *, rt_code *, const struct runner_run *, struct runner_lane *lane);

/* Which numbers are in the operands (in the sets of `calls` entries of a walk; NULL: the home set), and the result. */
void		 rt_run_count(const struct rt_sets *, const uint32_t *walk, uint64_t calls, struct runner_lane *lane);

/* One call on fresh operands; the result and all written operands go to `out`.  0: `bytes` are too few. */
int		 rt_run_check(struct rt_sets *, rt_code *, char *out, uint64_t bytes);

/* What the last call returned, to `to`: RT_MAX_RESULT bytes at most. */
void		 rt_run_result(const struct rt_driver *, char *to);

#pragma GCC visibility pop
#endif

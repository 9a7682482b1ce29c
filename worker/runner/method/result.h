/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_RESULT_H
#define ASSAY_WORKER_RUNNER_METHOD_RESULT_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/* Effects of calls: their result, their outputs, and which numbers are in both. */

/* Put the result of the last call to `to`: RT_MAX_RESULT bytes at most. */
void		 rt_result_put(const struct rt_driver *, char *to);

/* One call on fresh operands; result and written operands go to `out`.  0: `bytes` are too few. */
int		 rt_result_check(struct rt_timer *, rt_code *, char *out, uint64_t bytes);

/*
 * Which numbers are in operands and result: `census` has room for RUNNER_OPERANDS and the result.
 * Of operands that move, in the sets of `calls` entries of a walk; NULL: at home.
 */
void		 rt_result_count(const struct rt_sets *, const uint32_t *walk, uint64_t calls,
		    struct runner_census *census);

#pragma GCC visibility pop
#endif

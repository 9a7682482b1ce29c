/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_SORT_H
#define ASSAY_WORKER_RUNNER_SAMPLE_SORT_H

#include "worker/runner/sample/rt.h"
#include "worker/runner/sample/stream.h"

#pragma GCC visibility push(hidden)

/* Put random elements into the operand's rt_order.  It needs no memory; complex ones have none. */
void		 rt_sort(const struct rt_operand *, const struct stream *, char *at);

/* Elements i and j change places. */
void		 rt_swap(const struct rt_operand *, char *at, uint64_t i, uint64_t j);

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_GUARD_H
#define ASSAY_WORKER_RUNNER_GUARD_H

#include "worker/runner/bpf.h"
#include "worker/runner/kept.h"

#pragma GCC visibility push(hidden)

/*
 * The part of a filter for memory that is kept: calls that would change its mapping fail with
 * EPERM.  The call's number is loaded before it and behind it.
 */
void		 rt_guard_put(struct rt_bpf *, const struct rt_kept *);

#pragma GCC visibility pop
#endif

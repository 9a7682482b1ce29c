/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SCRIBE_H
#define ASSAY_WORKER_RUNNER_SCRIBE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * The scribe: a child of the template that runs no submitted code.  It writes challenges on the
 * timing CPU, so operands are in that core's caches like those of a sample, and none are visible to
 * the variant's child, which is stopped.  It notes the time and continues that child, and notes it
 * again when the child has replied and left the CPU: both are on one.  Until killed.
 */
_Noreturn void	 rt_scribe_serve(struct runner_shm *, const struct rt_timer *);

#pragma GCC visibility pop
#endif

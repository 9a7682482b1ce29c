/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_FILTER_H
#define ASSAY_WORKER_RUNNER_FILTER_H

#include <stdint.h>

#include "worker/runner/kept.h"

#pragma GCC visibility push(hidden)

/*
 * The system calls that a child may make, in two stages: for loading an object, then for being
 * timed.  The second narrows the first; the program for it is made with the first, out of the
 * object's reach.  A refused call ends the process by SIGSYS, and its number is left in `noted`.
 */

/* Once, before the first stage; -1: no call has been refused.  `noted` lasts. */
void		 rt_filter_note(int32_t *noted);

/*
 * For all threads of this process, for good.  0: this kernel will not.
 *
 * For a routine with rights as in the set-up.  kept: memory whose mapping stays as it is; the
 * second filter's program is added.
 */
int		 rt_filter_load(const struct runner_setup *, struct rt_kept *kept);
int		 rt_filter_run(void);

#pragma GCC visibility pop
#endif

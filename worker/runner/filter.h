/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_FILTER_H
#define ASSAY_WORKER_RUNNER_FILTER_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * The system calls that a child may make, in two stages: for loading an object, then for being
 * timed.  The second narrows the first; the program for it is made with the first, out of the
 * object's reach.  A refused call ends the process by SIGSYS, and its number is left in `noted`.
 */
enum rt_filter_stage { RT_FILTER_LOADING, RT_FILTER_RUNNING };

/* Once, before the first stage; -1: no call has been refused.  `noted` lasts. */
void		 rt_filter_note(int32_t *noted);

/*
 * For all threads of this process, for good.  `threads`: may start more of them.  0: this kernel
 * will not.
 */
int		 rt_filter_enter(enum rt_filter_stage, int threads);

#pragma GCC visibility pop
#endif

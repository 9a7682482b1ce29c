/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SEGV_H
#define ASSAY_WORKER_RUNNER_SEGV_H

#include "proto/wire/runner_shm.h"

#pragma GCC visibility push(hidden)

/*
 * A SIGSEGV of this process leaves the address that was touched in `claim`, and ends it as before.
 * Where there is no room on the stack for a handler, the address stays 0.  `claim` lasts.
 */
void		 rt_segv_note(struct runner_touch *claim);

#pragma GCC visibility pop
#endif

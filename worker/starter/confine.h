/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STARTER_CONFINE_H
#define ASSAY_WORKER_STARTER_CONFINE_H

#include <stdbool.h>

#include "proto/wire/program_shm.h"

/*
 * The system calls that a program may make, from its first instruction on.  It is stricter than a
 * compiler's filter and wider than that of a routine, which shares a process with the stopwatch; a
 * program does not.  A refused call ends the process by SIGSYS.
 *
 * An exec needs a secret: its sixth argument, which the kernel does not look at, is `secret`.  The
 * program cannot know it, as the memory that has it is gone when it begins, nor guess it, as the
 * first wrong guess is its last.  So the exec that starts it is the only one.
 */

/*
 * Of this process, for good.  traced: a refused call is shown to the tracer first.  0: this kernel
 * will not.
 */
int		 confine(const struct program_setup *, uint64_t secret, bool traced);

#endif

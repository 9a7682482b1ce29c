/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STARTER_TRACE_H
#define ASSAY_WORKER_STARTER_TRACE_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Which system call is refused?  A program that is killed for one leaves only SIGSYS behind.  So it
 * runs once more, traced, under a filter that signals instead of killing.
 */

/* In the program's process, before its filter: the parent traces it.  -1 with errno. */
int		 trace_me(void);

/* In the starter: until it has ended.  The number of the call; -1: none was refused this time. */
int32_t		 trace_refused(pid_t);

#endif

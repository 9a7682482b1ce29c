/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_HALT_H
#define ASSAY_WORKER_BENCH_HALT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Stop a process of ours with all its threads, by SIGSTOP.  true: the kernel reports each of them
 * stopped, or over, so none runs before SIGCONT.  false: it may not be stopped, or is not within a
 * second.
 */
bool		 halt_process(pid_t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_HALT_H
#define ASSAY_WORKER_BENCH_PROC_HALT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Stop a process of ours with all its threads, by SIGSTOP.  halt_begin: false: it may not be
 * stopped.  halt_wait: true: the kernel reports each thread stopped, or over, so none runs before
 * SIGCONT; false: not within a second.
 */
bool		 halt_begin(pid_t);
bool		 halt_wait(pid_t);

/* The same for a process that has one thread and can start none, by an open file; -1: none. */
int		 halt_open(pid_t);
bool		 halt_wait_one(int fd);

#endif

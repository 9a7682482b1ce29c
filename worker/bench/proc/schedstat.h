/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_SCHEDSTAT_H
#define ASSAY_WORKER_BENCH_PROC_SCHEDSTAT_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Time that a process's first thread, or with 0 the caller's, has waited for a CPU in all.  0: the
 * kernel does not report it.
 */
uint64_t	 schedstat_waited_ns(pid_t);

/* The same of a file that stays open; -1: there is none. */
int		 schedstat_open(pid_t);
uint64_t	 schedstat_read_ns(int fd);

#endif

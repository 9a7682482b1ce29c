/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_SYSCALL_H
#define ASSAY_WORKER_BENCH_PROC_SYSCALL_H

#include <stddef.h>

/* The name of a system call of this machine, its number in buf where the name is not known. */
const char	*syscall_name(int number, char *buf, size_t bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_OPENMP_H
#define ASSAY_WORKER_RUNNER_OPENMP_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * Libraries of OpenMP in the children.  GCC's starts as it is loaded.  LLVM's starts with the first
 * use of it: it counts CPUs, looks for files, and has a name in shared memory, by which a second
 * copy in the process would find it.  No routine may do that, so it is started while its object
 * loads.  As it starts anew in each process that is forked, the template cannot do it for all.
 *
 * The runner's own shm_open comes before libc's for all that is loaded later.  It gives RT_ZERO_FD,
 * /dev/zero: what is mapped of that is memory of the process alone, as anonymous memory is.
 */
enum { RT_ZERO_FD = 40 };

/* In the template, before its first child: teams of this size, which leave affinity to us. */
void		 rt_openmp_prepare(uint32_t threads);
/* In a child that may use all CPUs of its slot: starts LLVM's library if the object needs it. */
void		 rt_openmp_start(void *object, uint32_t threads);

#pragma GCC visibility pop
#endif

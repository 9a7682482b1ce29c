/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_AFFINITY_H
#define ASSAY_WORKER_BENCH_PROC_AFFINITY_H

#include <sys/types.h>

#include "worker/plan/slot.h"

/*
 * The CPUs on which a process under test may run, as the kernel reports them from outside.  A
 * routine without threads has the slot's first CPU.  One with threads has all of them: its first
 * thread the first, every other one CPU of the slot (worker/runner/team.h).  None: any may be used.
 */
void	 affinity_cpus(const struct slot *, unsigned threads, cpu_set_t *out);

/* Their number; a process that is not pinned has every CPU of ours. */
unsigned affinity_count(const struct slot *, unsigned threads);

/* Bind its first thread to the first CPU; false: this may not be done to it. */
bool	 affinity_first(const struct slot *, pid_t);

/*
 * Is the first thread bound to the first CPU alone, and each of the others, where there may be any,
 * to CPUs of these?
 */
bool	 affinity_holds(const struct slot *, unsigned threads, pid_t);

/*
 * CPUs of the slot for copies of one variant, which are each alone on one: how many there are (0:
 * nothing is pinned), and the n-th, from 0 on; -1: there are fewer.
 */
unsigned affinity_copies(const struct slot *);
int	 affinity_of_copy(const struct slot *, unsigned n);

/* Is it bound to that CPU alone? */
bool	 affinity_is_on(int cpu, pid_t);

/* Is there a CPU for us beside the slot, so that what is real-time there can be stopped? */
bool	 affinity_leaves_us_one(const struct slot *);

/*
 * Address space that the threads of a routine and the crew on its CPUs reserve, though they may use
 * little of it: stacks, and arenas of malloc's.
 */
uint64_t	 affinity_thread_bytes(unsigned threads, unsigned cpus);

#endif

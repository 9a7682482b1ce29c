/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_CREW_H
#define ASSAY_WORKER_RUNNER_SAMPLE_CREW_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * One thread on each CPU that this process may use, for work that must be done on all of them: a
 * routine with threads leaves operands in the private caches of each (Whaley and Castaldo, section
 * 5.6).
 */
struct rt_crew;

enum { RT_CREW_MAX = 1024 };		/* members: CPU_SETSIZE */

/*
 * Start it; every thread is pinned when this returns.  A filter of system calls that the caller
 * enters later holds for them as well.  NULL: there is one CPU only, or a thread could not be had.
 */
struct rt_crew	*rt_crew_new(void);
void		 rt_crew_free(struct rt_crew *);	/* NULL is fine */
uint32_t	 rt_crew_size(const struct rt_crew *);	/* NULL: 1 */

/*
 * fn(arg, 0), fn(arg, 1), … each on its CPU, all at once; until the last is done.  The caller runs
 * fn(arg, 0) itself if it is bound to that CPU, or there is no crew.
 */
void		 rt_crew_run(struct rt_crew *, void (*fn)(void *, uint32_t), void *arg);

/*
 * fn(arg, member) on that member's CPU alone.  Any thread may call either; one waits for the other.
 */
void		 rt_crew_run_on(struct rt_crew *, uint32_t member,
		    void (*fn)(void *, uint32_t), void *arg);

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_DOMAINS_H
#define ASSAY_DAEMON_DISPATCH_DOMAINS_H

#include <sched.h>
#include <stdbool.h>

/*
 * Timing slots that share a last cache.  A cold timing flushes it, or walks through it, so it is
 * alone there; warm ones may be side by side.  Pure.
 *
 * A cold job waits for the timings that run, and while it waits no later job begins beside them.
 * So it waits no longer than they take, and the order of the queue is kept.
 */
struct domains_slot {
	const cpu_set_t	*shares;		/* borrowed; all CPUs below its last caches */
	unsigned	 width;			/* its CPUs */
	bool		 is_idle;		/* it could take a job */
	bool		 is_timing, is_cold;	/* is_cold: the job that it times */
};

struct domains_job {
	bool		 is_cold;
	unsigned	 width;			/* CPUs that it waits for */
};

enum domains_verdict {
	DOMAINS_TAKE,			/* the slot times this job now */
	DOMAINS_SKIP,			/* not this job, maybe a later one */
	DOMAINS_STOP,			/* no job now */
};

/* For the slot `at` of n and the next job in the queue. */
enum domains_verdict domains_judge(const struct domains_slot *, unsigned n, unsigned at,
		    const struct domains_job *);
/* Other slots that time on a last cache of this one. */
unsigned	 domains_beside(const struct domains_slot *, unsigned n, unsigned at);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_STATION_STREAK_H
#define ASSAY_DAEMON_DISPATCH_STATION_STREAK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Faults of Assay's own at one station, in a row.  The same fault for several different jobs is the
 * host's: a full disk, a directory that is gone.  Then the station pauses, and tries one job at
 * once (where the host is seen to be bad, after the first interval) and then after growing
 * intervals, until one ends otherwise.  Pure; `now` is clock_now_s.
 *
 * Two faults are the same if their words are, but for paths and numbers.
 */
enum {
	STREAK_JOBS	= 3,		/* different jobs, for a pause */
	STREAK_FIRST_S	= 2, STREAK_LONGEST_S = 60,	/* intervals between two tries */
};

struct streak {
	char		 reason[240];	/* of the faults; "" none */
	int64_t		 jobs[STREAK_JOBS];
	unsigned	 njobs;		/* different ones that met it */
	bool		 is_proven;	/* by a look at the host, not by the jobs alone */
	unsigned	 pause_s;	/* the interval; 0: not paused */
	double		 try_at;	/* paused: when it may take a job again */
};

/* A job met a fault.  true: the station pauses from now on; it did not before. */
bool		 streak_fault(struct streak *, int64_t job, const char *reason, bool is_proven,
		    double now);
/* The host is still as bad, without a job: the next interval. */
void		 streak_later(struct streak *, double now);
/* A job ended otherwise.  true: the station was paused. */
bool		 streak_ends(struct streak *);
bool		 streak_may_take(const struct streak *, double now);
double		 streak_left_s(const struct streak *, double now);	/* until the next try */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_ARRIVALS_H
#define ASSAY_DAEMON_QUEUE_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/queue/admission.h"

/*
 * Sweeps of a large space arrive in slices, so that other clients wait for no more than one.  All
 * points are checked before the first row is written.  Rows of a sweep that arrives count for
 * nothing; one last write makes all of them count, and only then is the sweep acknowledged.  If the
 * sweep is given up before that, or the daemon is killed, its rows are taken away in slices.
 */
struct arrivals;

enum { ARRIVALS_OF_USER = 4 };		/* at the same time */

enum status	 arrivals_new(struct arrivals **, struct admission *, struct fault *);
void		 arrivals_free(struct arrivals *);	/* NULL is fine */
/* ST_CONFLICT: a sweep of this name is arriving. */
enum status	 arrivals_check_name(const struct arrivals *, const char *name, struct fault *);
/*
 * As intake_sweep.  *arrives false: an earlier version stored this sweep at once, so it is to be
 * compared in the same way.
 */
enum status	 arrivals_begin(struct arrivals *, const struct submission *, bool *arrives,
		    struct fault *);
/* on_turn: call arrivals_step soon.  on_cancelled: as in recovery.h. */
void		 arrivals_hooks(struct arrivals *, void (*on_turn)(void *arg),
		    void (*on_cancelled)(void *arg, int64_t job_id), void *arg);
/* Goes on for about so long.  Call it again after: 0 at once, else milliseconds; -1: on_turn. */
int		 arrivals_step(struct arrivals *, uint64_t budget_ns);

struct arrival_progress {
	size_t	 points, checked, stored;	/* stored: jobs, of the points that are wanted */
	size_t	 unread;			/* stored, and not in the queue yet */
};
/* false: no sweep of this number arrives. */
bool		 arrivals_progress(const struct arrivals *, int64_t sweep_id,
		    struct arrival_progress *);
/*
 * Gives the sweep up; its call is refused with `cancelled`.  false: it does not arrive, or is being
 * acknowledged: cancel its jobs.
 */
bool		 arrivals_cancel(struct arrivals *, int64_t sweep_id);
/* The caller of the submission with this `arg` is gone: the sweep is given up. */
void		 arrivals_forget(struct arrivals *, const void *arg);
void		 arrivals_stop(struct arrivals *);	/* refuses all that are under way */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_RETRY_H
#define ASSAY_DAEMON_DISPATCH_RETRY_H

#include "daemon/dispatch/rests.h"
#include "daemon/dispatch/station/station.h"
#include "daemon/dispatch/trial.h"

/*
 * What becomes of a job after a fault of Assay's own: it rests, then it is tried again while it has
 * attempts left.
 *
 * At a station that pauses (daemon/dispatch/station/streak.h) faults cost no attempt.  Where a look
 * at the host does not show why they happen, the station takes only a trial
 * (daemon/dispatch/trial.h).  If it ends well, the host was not at fault: the station goes on, and
 * the faults before count after all, but each job keeps a last attempt.  Where no trial can be had,
 * the queue's next job is tried in its stead, and each job is excused RETRY_EXCUSES times.
 */
struct retry {
	struct queue	*queue;		/* borrowed */
	const char	*state_dir;	/* borrowed */
	struct station	*stations;	/* borrowed */
	struct rests	 rests;
	struct trial	 trial;
};
enum { RETRY_REST_S = 1, RETRY_EXCUSES = 3 };

/* false: it has no attempt left. */
bool		 retry_later(struct retry *, struct station *, struct queued_job *,
		    const char *reason);
/* A job of this station ended by no fault of ours. */
void		 retry_went_well(struct retry *, struct station *);
/* What a station may take now. */
enum retry_turn { RETRY_NOTHING, RETRY_TRIAL, RETRY_ANY };
enum retry_turn	 retry_turn(struct retry *, struct station *);
/* It is paused, and nothing shows why. */
bool		 retry_doubts(const struct station *);
bool		 retry_forget(struct retry *, int64_t job_id);	/* false: it does not rest */
void		 retry_tick(struct retry *);			/* once a second */
void		 retry_release(struct retry *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_ESTIMATE_H
#define ASSAY_DAEMON_QUEUE_ESTIMATE_H

#include "daemon/queue/queue.h"

/*
 * When jobs will be over, if nothing else comes: an estimate of what the queue will do.
 *
 * A job is taken to need what jobs of its sweep have needed lately (else of its user, else all), of
 * a slot and of a builder.  It begins when its user's share has reached the place that the jobs
 * before it lead to; until then each other user is served up to the same share.  All of that takes
 * the slots as long as its timings, or the builders as long as its builds, whichever is longer.
 *
 * One estimate costs O(users), and O(log n) for each bunch of jobs of the user itself.
 */
struct queue_places {		/* that take jobs now */
	/* by the queue's index of widths: slots that are at least as wide */
	unsigned	 slots[QUEUE_WIDTHS];
	unsigned	 builders;
	double		 now_s;		/* on the monotonic clock */
};

/* Why there is no estimate. */
enum estimate_gap {
	ESTIMATE_MADE,
	ESTIMATE_READING,	/* the queue is not complete yet */
	ESTIMATE_CANCELLED,
	ESTIMATE_PAUSED,
	ESTIMATE_NOT_BEFORE,	/* asleep */
	ESTIMATE_WINDOW,	/* that is shut */
	ESTIMATE_QUOTA,		/* its user has used up its time of the day */
	ESTIMATE_NOT_READY,	/* one or the other, of several jobs */
	ESTIMATE_NO_PLACE,	/* no slot of this width, or no builder */
	ESTIMATE_NO_RATE,	/* no job has ended yet */
	ESTIMATE_NOTHING,	/* all is over */
	ESTIMATE_NGAPS
};

/* Whose jobs a mean is of. */
enum estimate_by { ESTIMATE_BY_NONE, ESTIMATE_BY_SWEEP, ESTIMATE_BY_USER, ESTIMATE_BY_ALL };

struct estimate {
	int64_t			 position;	/* jobs before it; -1: unknown */
	double			 eta_s;		/* until its end; -1: unknown */
	enum estimate_gap	 gap;		/* of eta_s */
	int64_t			 until;		/* asleep; seconds since the epoch; 0: unknown */
	enum estimate_by	 by;
};

/* A live job. */
void		 estimate_job(struct queue *, const struct queue_places *,
		    const struct queued_job *, struct estimate *);
/* The end of a sweep, and the position of its next job.  No job of it is unread. */
void		 estimate_sweep(struct queue *, const struct queue_places *, int64_t sweep_id,
		    struct estimate *);

struct user_estimate {
	uid_t			 uid;
	bool			 is_paused;
	/* not_ready: of those that wait, may not start now */
	size_t			 waiting, not_ready, building, timing;
	double			 timed_s;	/* of slots, since the daemon's start */
	struct estimate		 end;		/* of jobs that may start, and the next one's */
};
/* Users with live jobs, by uid; owned by the caller; NULL: no memory. */
struct user_estimate *estimate_users(struct queue *, const struct queue_places *, size_t *n);

/* ESTIMATE_BY_NONE: no job has ended yet. */
enum estimate_by estimate_pace(const struct queue *, const struct queued_job *, struct pace *);

#endif

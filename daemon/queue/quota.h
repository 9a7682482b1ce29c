/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_QUOTA_H
#define ASSAY_DAEMON_QUEUE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/base/fault.h"

/*
 * What the jobs of one user may take.  Live jobs count, and so do those that are claimed: accepted,
 * and on their way to the disk and into the queue.  Operators and
 * the daemon itself have no limit; users.conf may give a user others than the settings.
 */
enum quota {
	QUOTA_JOBS,		/* that wait or run */
	QUOTA_BYTES,		/* of their documents */
	QUOTA_TIMING_S,		/* of the slots, on one day of UTC: no jobs are timed beyond it */
	QUOTA_N
};

struct queue;
struct queue_user;
struct users;

const char	*quota_key(enum quota);		/* its setting */
/* 0: none.  In effect at once. */
void		 quota_set(struct queue *, enum quota, uint64_t limit);
/* Borrowed; also after users.conf was read again.  In effect at once. */
void		 quota_set_users(struct queue *, struct users *);
/* Are there jobs or bytes that this user may not add? */
bool		 quota_binds(const struct queue *, uid_t);

/* Of one submission, as long as its jobs are not in the queue. */
struct quota_claim {
	struct queue	*queue;		/* borrowed; NULL: nothing is claimed */
	uid_t		 who;
	size_t		 jobs;
	uint64_t	 bytes;
};
/* ST_FULL: beyond a quota; nothing is claimed. */
enum status	 quota_claim(struct quota_claim *, struct queue *, uid_t, size_t jobs,
		    uint64_t bytes, struct fault *);
/* So much of it is in the queue. */
void		 quota_claim_less(struct quota_claim *, size_t jobs, uint64_t bytes);
void		 quota_claim_end(struct quota_claim *);

/* A user's past, from the store; before the first job. */
void		 quota_set_day(struct queue *, uid_t, int64_t day, double timed_s);

struct quota_use {
	uid_t		 uid;
	bool		 is_exempt;
	size_t		 jobs;
	uint64_t	 bytes;
	double		 timed_s;	/* today */
	bool		 has_limits;	/* of its own */
	uint64_t	 limit[QUOTA_N];	/* that it has; 0: none */
	int64_t		 held_until;	/* seconds since the epoch; 0: it is not held */
};
/* Of users that have any, by uid.  Returns how many. */
size_t		 quota_uses(const struct queue *, struct quota_use *out, size_t max);
/* When jobs of this user are timed again; 0: it is not held. */
int64_t		 quota_held_until(const struct queue *, uid_t);

/* ---- for the queue's own files ---- */
void		 quota_know(const struct queue *, struct queue_user *);	/* a new one */
/* Around user_leave and user_enter. */
void		 quota_charge(struct queue *, struct queue_user *, double seconds);
/* The time has been set to q->now: another day? */
void		 quota_look_at_day(struct queue *);

#endif

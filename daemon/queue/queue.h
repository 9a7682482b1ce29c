/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_QUEUE_H
#define ASSAY_DAEMON_QUEUE_QUEUE_H

#include <bsd/sys/tree.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "daemon/queue/brief.h"
#include "daemon/queue/quota.h"
#include "daemon/queue/window.h"
#include "daemon/store/pause.h"
#include "proto/wire/hello.h"
#include "proto/wire/msg.h"

/*
 * The live jobs, whose turn it is, and their legal moves.  job_move alone changes a job's state.
 *
 * A user's jobs are in the order of their priority, then single jobs before those of sweeps, then
 * by id.  Between users the share decides: the next is the one that has used the least time of the
 * slots.  See PROTOCOL.md for what is promised.
 *
 * No event costs a walk over the jobs that wait.  What may start is in trees: of users, of their
 * bunches, of a bunch's jobs (queue_impl.h).  What time will wake is in trees by that time.  A
 * waiting job has only what scheduling needs; its document is in the store.
 */
enum job_state {
	JOB_QUEUED, JOB_BUILDING, JOB_BUILT, JOB_TIMING,
	JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_EXPIRED,	/* final: nothing leaves these */
	JOB_NSTATES
};

enum { ONCE_BYTES = 33 };

/* The outcome of a job's build. */
struct build_record {
	struct artifacts	 artifacts;
	bool			 has_report;
	struct built		 report;
	json_t			*doc;		/* owned; has the report's texts */
	char			 identity[ONCE_BYTES];	/* daemon/dispatch/once.h; "": none */
	char			 fitness[ONCE_BYTES];	/* the host's when that was made */
};

void		 build_record_free(struct build_record *);	/* NULL is fine */

/* The tree in which a job is; the queue's own business. */
enum job_place {
	PLACE_NONE,		/* it is ending or final */
	PLACE_CANCELLED,	/* it waits to end */
	PLACE_SLEEPS,		/* by not_before */
	PLACE_BUNCH,		/* queued */
	PLACE_SHUT,		/* built, while its bunch may not start: window, paused sweep */
	PLACE_USER,		/* built, ready for a slot */
	PLACE_WORKER,		/* building or timing */
};

struct bunch;
struct due;

struct queued_job {
	int64_t			 id;
	int64_t			 sweep_id;	/* 0: none */
	uid_t			 submitter;
	enum job_state		 state;
	int64_t			 not_before, deadline;	/* seconds since the epoch; 0: none */
	struct window		 window;
	int16_t			 priority;
	uint16_t		 threads;	/* of its routine */
	/* attempts: ended so far by a fault of Assay's own */
	uint16_t		 retries, attempts;
	bool			 cancel;	/* asked for; queue_set_cancelled sets it */
	/* its result is on the way to the disk: do not touch; queue_set_ending changes it */
	bool			 ending;
	uint8_t			 place;		/* enum job_place */
	uint8_t			 excused;	/* faults of the host that cost no attempt */
	uint8_t			 lost;		/* times that its objects left the cache */
	uint32_t		 bytes;		/* for which it counts in QUOTA_BYTES */
	double			 submitted;	/* seconds since the epoch */
	/* seconds of the monotonic clock (clock_now_s), since: of its submission; 0: not yet */
	double			 since, build_began, build_ended, time_began;
	float			 timed_s;	/* of a timing slot, so far */
	uint32_t		 subtree;	/* jobs, in a tree by turn */
	struct brief		*brief;		/* owned; NULL: not loaded, or it cannot be read */
	struct build_record	*build;		/* owned; from BUILT on */
	struct bunch		*bunch;		/* borrowed; of jobs that are alike */
	struct due		*due;		/* owned; NULL: no deadline */
	RB_ENTRY(queued_job)	 by_id;
	RB_ENTRY(queued_job)	 turn;		/* in the tree of its place */
	LIST_ENTRY(queued_job)	 entry;		/* in its group */
};

RB_HEAD(jobs_by_id, queued_job);
RB_HEAD(jobs_by_turn, queued_job);	/* priority, then single or not, then id */
RB_HEAD(jobs_by_start, queued_job);	/* not_before */
RB_HEAD(jobs_at_work, queued_job);	/* id */
RB_HEAD(dues, due);			/* deadline */
RB_HEAD(users_by_uid, queue_user);
RB_HEAD(users_to_build, queue_user);	/* whose turn is next */
RB_HEAD(users_to_time, queue_user);
RB_HEAD(groups, queue_group);
RB_HEAD(bunches_by_change, bunch);	/* of their window */
RB_HEAD(paused_sweeps, paused_sweep);

enum {
	QUEUE_WIDTHS = 4,		/* of timing slots that are told apart */
	QUEUE_AHEAD_MAX = 64,		/* of a user and a width: built or being built */
	QUEUE_BESIDE_MAX = 16,		/* and more, that are built together with another */
	QUEUE_CREDIT_S = 10,		/* by how much a user with few single jobs is preferred */
	QUEUE_FEW = 100,
};

/* What jobs took lately, a mean. */
struct pace {
	int64_t			 time_us, build_us;	/* of a slot, of a builder */
	int64_t			 n;		/* jobs that it is of; 0: none yet */
};

struct queue {
	size_t			 count[JOB_NSTATES];	/* live: now; final: since start */
	size_t			 live, limit;
	size_t			 unread;	/* more QUEUED ones, on disk; see recovery.h */
	uint64_t		 quota[QUOTA_N];	/* quota_set sets them; 0: none */
	struct users		*known;		/* borrowed; NULL: users.conf has none */
	uint64_t		 quota_refused[QUOTA_N];	/* submissions */
	/* the rest is the queue's own business */
	int64_t			 now;		/* the last time that it was asked at */
	int64_t			 day;		/* its day since the epoch */
	double			 clock;		/* least virtual time of the active users; grows */
	unsigned		 width[QUEUE_WIDTHS], nwidths;	/* of slots, ascending */
	struct jobs_by_id	 by_id;
	struct jobs_by_start	 sleepers;
	struct jobs_at_work	 at_work[2];	/* building, timing */
	struct dues		 dues;		/* of jobs that could expire */
	struct users_by_uid	 users;
	struct users_to_build	 to_build;
	struct users_to_time	 to_time;
	struct groups		 groups;
	struct bunches_by_change windows;
	struct paused_sweeps	 paused_sweeps;
	bool			 is_paused;	/* all of it */
	struct pace		 pace;		/* of all jobs */
	size_t			 ntiming;	/* in slots */
	/* slots at work while jobs waited for one, a mean; of so many readings */
	double			 busy_slots;
	unsigned		 nbusy;
};

void		 queue_init(struct queue *, size_t limit);
/* Before the first job: CPUs of the timing slots, ascending, each once. */
void		 queue_set_widths(struct queue *, const unsigned *width, unsigned n);
void		 queue_release(struct queue *);
size_t		 queue_live(const struct queue *);	/* with those that are not read yet */

/*
 * Takes the template's fields and what they own; the state is QUEUED.  ST_FULL: beyond the limit.
 * ST_CONFLICT: the id exists.
 */
enum status	 queue_add(struct queue *, const struct queued_job *, struct queued_job **out);
/* The same without a limit. */
enum status	 queue_add_stored(struct queue *, const struct queued_job *,
		    struct queued_job **out);
/* Borrowed until it is final; NULL: not alive. */
struct queued_job *queue_find(const struct queue *, int64_t id);

void		 job_move(struct queue *, struct queued_job *, enum job_state to);
/* Its result is on the way to the disk, or was refused by it. */
void		 queue_set_ending(struct queue *, struct queued_job *, bool is_ending);
/* It is given to no worker any more. */
void		 queue_set_cancelled(struct queue *, struct queued_job *);
/* Only when final; frees it. */
void		 queue_forget(struct queue *, struct queued_job *);

/* ---- whose turn it is; now: seconds since the epoch ---- */

/* Of one user's jobs; less than 0: a comes first. */
int		 queue_compare_turns(const struct queued_job *a, const struct queued_job *b);

/* The next job that may start building; NULL: none. */
struct queued_job *queue_next_to_build(struct queue *, int64_t now);

/*
 * The next job behind `last`, which this has returned before (NULL: the first), that may start
 * building, of those that differ from j in id and times alone; NULL: none, or what comes next is of
 * another sweep or priority and is not passed by.  Up to QUEUE_BESIDE_MAX may go beyond
 * QUEUE_AHEAD_MAX: else a slot that takes jobs one by one would have them built one by one.
 */
struct queued_job *queue_next_beside(const struct queue *, const struct queued_job *j,
		    const struct queued_job *last);
/* Neither paused nor outside of its window. */
bool		 queue_may_begin(const struct queue *, const struct queued_job *);
size_t		 queue_waiting_beside(const struct queued_job *);	/* all of these */

enum queue_answer { QUEUE_TAKE, QUEUE_SKIP, QUEUE_STOP };
typedef enum queue_answer queue_ask_fn(void *arg, const struct queued_job *);
/* The next built job for a slot, of those that may start, by what `ask` says.  NULL: none. */
struct queued_job *queue_next_to_time(struct queue *, int64_t now, queue_ask_fn *, void *arg);

/* No more than one user has built jobs that may be timed. */
bool		 queue_is_one_users(const struct queue *);

/* A waiting job whose deadline has passed; NULL: none. */
struct queued_job *queue_next_expired(struct queue *, int64_t now);
/* The wall clock was set: look at all windows again. */
void		 queue_clock_was_set(struct queue *, int64_t now);

/* ---- pauses: of what is paused, no more is begun; see queue_pause.c ---- */

/* Takes effect at once, and on jobs that come later.  ST_NOMEM. */
enum status	 queue_set_paused(struct queue *, const struct pause *, bool is_on);
/* The widest pause that a sweep (0: single jobs) of this user is under; PAUSE_NONE: none. */
enum pause_kind	 queue_paused_by(const struct queue *, uid_t, int64_t sweep_id);
/* Users by uid, then sweeps by id; without that of all.  Returns how many. */
size_t		 queue_pauses(const struct queue *, struct pause *out, size_t max);

/* ---- shares ---- */

/* A user's past, from the store; before the first job. */
void		 queue_set_share(struct queue *, uid_t, double virtual_s);
/* A job took so much of a slot's time. */
void		 queue_charge(struct queue *, struct queued_job *, double seconds);
/* The virtual time that its user is at, to be stored. */
double		 queue_share(const struct queued_job *);

/* ---- looking ---- */

/* Live jobs of a sweep by state, without those that are ending. */
void		 queue_sweep_counts(const struct queue *, int64_t sweep_id,
		    size_t count[JOB_NSTATES]);
/* Has it jobs that are not over, or whose result is on its way to the disk? */
bool		 queue_has_sweep(const struct queue *, int64_t sweep_id);
/* Live jobs of a sweep; owned by the caller, not sorted; NULL: no memory. */
int64_t		*queue_sweep_ids(const struct queue *, int64_t sweep_id, size_t *n);
/* Nearest to their end first: timing, built, building, queued.  Returns how many. */
size_t		 queue_list(const struct queue *, const struct queued_job **out, size_t max);
const char	*job_state_name(enum job_state);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_QUEUE_IMPL_H
#define ASSAY_DAEMON_QUEUE_QUEUE_IMPL_H

#include "daemon/queue/queue.h"

/*
 * Shared by the queue's own files: queue.c (jobs and their states), queue_place.c (in which tree a
 * job is), queue_turn.c (whose turn it is), turns.c, queue_pause.c, quota.c, queue_list.c
 * (looking), load.c and estimate*.c (when jobs will be over).
 *
 *     user ─► groups: a sweep, or the user's single jobs ─► bunches ─► jobs
 *
 * Jobs of a bunch differ only in priority, id and times: they have one width and one window.  So a
 * window opens and closes for a bunch at once, and a bunch that may not start stands aside whole.
 * Bunches of a paused sweep stand aside in the same way; a paused user has no turn.
 */
RB_HEAD(bunches, bunch);
RB_HEAD(bunches_by_head, bunch);
LIST_HEAD(job_list, queued_job);

struct due {
	struct queued_job	*job;		/* borrowed; it owns this */
	RB_ENTRY(due)		 entry;
	bool			 is_in;		/* the tree */
};

struct bunch {
	struct queue_group	*group;		/* borrowed; it owns this */
	unsigned		 width;		/* index into the queue's */
	struct window		 window;
	bool			 is_open;	/* its window */
	bool			 is_ready;	/* among its user's */
	size_t			 njobs;		/* live ones */
	int64_t			 change;	/* when the window is looked at again */
	struct jobs_by_turn	 queued;
	struct jobs_by_turn	 shut;		/* built */
	RB_ENTRY(bunch)		 entry;		/* in its group */
	RB_ENTRY(bunch)		 by_head;	/* in its user's, while is_ready */
	RB_ENTRY(bunch)		 by_change;	/* if it has a window */
};

struct queue_group {
	struct queue_user	*user;		/* borrowed */
	bool			 is_paused;	/* its sweep */
	int64_t			 sweep_id;	/* 0: single jobs */
	size_t			 count[JOB_NSTATES];	/* live jobs that are not ending */
	size_t			 njobs;		/* live ones */
	size_t			 nasleep;	/* by not_before */
	struct pace		 pace;
	/* jobs that may start, by width: all, and those that are not built */
	uint32_t		 startable[QUEUE_WIDTHS], unbuilt[QUEUE_WIDTHS];
	struct job_list		 jobs;
	struct bunches		 bunches;	/* owned */
	RB_ENTRY(queue_group)	 entry;
};

/* Jobs of a user that may start and are not at work. */
struct load {
	int64_t			 jobs, unbuilt;	/* all; those that are not built */
	/* of groups of which no job has ended yet: the same */
	int64_t			 strange, strange_unbuilt;
	int64_t			 time_us, build_us;	/* of the others, as expected */
};

/* Of jobs together. */
struct work {
	double			 jobs;
	double			 slot_s;	/* of one slot: what the share is charged */
	double			 time_s, build_s;	/* of all slots, of all builders */
};

struct queue_user {
	uid_t			 uid;
	double			 virtual_s;	/* its share of the slots' time so far */
	bool			 is_paused;
	bool			 is_held;	/* until the day is over: QUOTA_TIMING_S */
	bool			 is_exempt;	/* of quotas; quota_know sets these three */
	bool			 has_limit[QUOTA_N];	/* of its own */
	uint64_t		 limit[QUOTA_N];
	bool			 is_active;	/* it has jobs that are ready or at work */
	size_t			 njobs, claimed_jobs;	/* live ones; of struct quota_claim */
	uint64_t		 bytes, claimed_bytes;	/* of these */
	int64_t			 day;		/* since the epoch, of its last timing */
	double			 day_s;		/* of the slots, on that day */
	size_t			 nsingle;	/* single jobs in any place */
	size_t			 nready, nwork;	/* bunches in `ready`; jobs at work */
	size_t			 ahead[QUEUE_WIDTHS];	/* built or building, and startable */
	struct bunches_by_head	 ready[QUEUE_WIDTHS];	/* with a queued job that may start */
	struct jobs_by_turn	 built;
	/* as the trees below have it */
	int			 build_rank, time_rank;
	size_t			 build_ahead;
	double			 build_s, time_s;
	bool			 in_build, in_time;
	size_t			 count[JOB_NSTATES];	/* live jobs that are not ending */
	double			 timed_s;	/* of slots, since the daemon's start */
	struct pace		 pace;
	struct load		 load[QUEUE_WIDTHS];
	/* of an estimate, while it is made: what may start, the share where it begins */
	struct work		 work;
	double			 level;
	RB_ENTRY(queue_user)	 entry, build_turn, time_turn;
};

/* A sweep that is paused, with or without live jobs. */
struct paused_sweep {
	int64_t			 id;
	RB_ENTRY(paused_sweep)	 entry;
};

RB_PROTOTYPE(paused_sweeps, paused_sweep, entry, )
RB_PROTOTYPE(jobs_by_id, queued_job, by_id, )
RB_PROTOTYPE(jobs_at_work, queued_job, turn, )
RB_PROTOTYPE(jobs_by_turn, queued_job, turn, )
RB_PROTOTYPE(jobs_by_start, queued_job, turn, )
RB_PROTOTYPE(dues, due, entry, )
RB_PROTOTYPE(users_by_uid, queue_user, entry, )
RB_PROTOTYPE(users_to_build, queue_user, build_turn, )
RB_PROTOTYPE(users_to_time, queue_user, time_turn, )
RB_PROTOTYPE(groups, queue_group, entry, )
RB_PROTOTYPE(bunches, bunch, entry, )
RB_PROTOTYPE(bunches_by_head, bunch, by_head, )
RB_PROTOTYPE(bunches_by_change, bunch, by_change, )

/* < 0: a's turn is before b's; of jobs of one user. */

/* Trees by turn (turns.c).  Before: of jobs whose turn is before that of the key. */
void		 turns_insert(struct jobs_by_turn *, struct queued_job *);
void		 turns_remove(struct jobs_by_turn *, struct queued_job *);
size_t		 turns_count(const struct jobs_by_turn *);
size_t		 turns_before(const struct jobs_by_turn *, const struct queued_job *key);

/* What may start has more of these, or fewer (load.c). */
void		 load_add(const struct bunch *, int64_t jobs, int64_t unbuilt);
/* A job is over, and still in its bunch. */
void		 load_learn(struct queue *, const struct queued_job *);
/* A slot is done with a job, and has not been given another one. */
void		 load_note_slots(struct queue *);

/* Finds or makes the bunch of a new job, and enters it there.  ST_NOMEM. */
enum status	 bunch_join(struct queue *, struct queued_job *);
/* Out of its bunch, which is freed with its last job. */
void		 bunch_leave(struct queue *, struct queued_job *);
/* Into the tree where its state, the time and its bunch have it; or out of it. */
void		 job_enter(struct queue *, struct queued_job *);
void		 job_leave(struct queue *, struct queued_job *);
/* What time has woken, and windows that have changed. */
void		 queue_wake(struct queue *, int64_t now);
void		 bunch_look_at_window(struct queue *, struct bunch *, int64_t now);
/* Its window is open, and its sweep is not paused. */
bool		 bunch_may_start(const struct bunch *);
/* The group's bunches go in or out by its is_paused. */
void		 group_set_paused(struct queue *, struct queue_group *, bool is_paused);
bool		 sweep_is_paused(const struct queue *, int64_t sweep_id);
void		 queue_free_pauses(struct queue *);
/* NULL: it has no live jobs. */
struct queue_group *queue_sweep(const struct queue *, int64_t sweep_id);
struct queue_user *queue_user(struct queue *, uid_t);		/* NULL: no memory */
void		 queue_free_groups(struct queue *);
/* Around each change of what a user has that is ready. */
void		 user_leave(struct queue *, struct queue_user *);
void		 user_enter(struct queue *, struct queue_user *);
/* < 0: before all users without such a job, > 0: after them. */
int		 queue_rank(const struct queue_user *, const struct queued_job *);
/* The queued job that is next of this user; NULL: none, or enough is built ahead. */
struct queued_job *user_next_to_build(const struct queue_user *, size_t most_ahead);

#endif

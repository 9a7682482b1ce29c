/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_QUEUE_H
#define ASSAY_DAEMON_QUEUE_QUEUE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>
#include <uthash.h>

#include "daemon/queue/brief.h"
#include "proto/wire/hello.h"
#include "proto/wire/msg.h"

/*
 * The live jobs, their order, and their legal moves.  A job's state is the list it is on; job_move
 * alone changes it.
 *
 * Only live jobs are in memory, with all that scheduling, dispatch and judging need.  The texts of
 * their documents are kept too, up to QUEUE_TEXT_BYTES in all; the store has the others.
 */
enum job_state {
	JOB_QUEUED, JOB_BUILDING, JOB_BUILT, JOB_TIMING,
	JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_EXPIRED,	/* final: nothing leaves these */
	JOB_NSTATES
};

/* The outcome of a job's build. */
struct build_record {
	struct artifacts	 artifacts;
	bool			 has_report;
	struct built		 report;
	json_t			*doc;		/* owned; has the report's texts */
};

void		 build_record_free(struct build_record *);	/* NULL is fine */

struct queued_job {
	int64_t			 id;
	int64_t			 sweep_id;	/* 0: none */
	uid_t			 submitter;
	enum job_state		 state;
	int			 priority;
	int64_t			 not_before, deadline;	/* seconds since the epoch; 0: none */
	int16_t			 window_from, window_to;	/* minutes of the day; -1: none */
	unsigned		 threads;	/* of its routine */
	/* attempts: ended so far by a fault of Assay's own */
	uint16_t		 retries, attempts;
	/* seconds since the epoch */
	double			 submitted, build_began, build_ended, time_began;
	struct brief		 brief;		/* of its document */
	size_t			 text_bytes;	/* its part of the queue's */
	struct build_record	*build;		/* owned; from BUILT on */
	bool			 cancel;	/* asked for while building or timing */
	/* its result is on the way to the disk: do not touch */
	bool			 ending;
	TAILQ_ENTRY(queued_job)	 entry;
	UT_hash_handle		 hh;
};

TAILQ_HEAD(job_list, queued_job);

struct queue {
	struct job_list		 in[JOB_NSTATES];	/* live states only; highest priority first,
							 * then oldest */
	size_t			 count[JOB_NSTATES];	/* live: now; final: since start */
	struct queued_job	*by_id;
	size_t			 limit;
	size_t			 text_bytes;	/* of the documents that are kept */
};
enum { QUEUE_TEXT_BYTES = 16 << 20 };

void		 queue_init(struct queue *, size_t limit);
void		 queue_release(struct queue *);
size_t		 queue_live(const struct queue *);

/*
 * Takes the template's fields and what they own; the state is QUEUED.  ST_FULL: beyond the limit.
 * ST_CONFLICT: the id exists.
 */
enum status	 queue_add(struct queue *, const struct queued_job *, struct queued_job **out);
/* Borrowed until it is final; NULL: not alive. */
struct queued_job *queue_find(const struct queue *, int64_t id);

void		 job_move(struct queue *, struct queued_job *, enum job_state to);
/* Only when final; frees it. */
void		 queue_forget(struct queue *, struct queued_job *);

/* The next job that may start building now; NULL: none. minute: of the host's day. */
struct queued_job *queue_next_to_build(const struct queue *, int64_t now, int minute);
/* By not_before and window. */
bool		 job_may_start(const struct queued_job *, int64_t now, int minute);
const char	*job_state_name(enum job_state);

#endif

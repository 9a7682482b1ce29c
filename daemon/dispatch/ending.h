/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_ENDING_H
#define ASSAY_DAEMON_DISPATCH_ENDING_H

#include "daemon/judge/judge.h"
#include "daemon/queue/queue.h"
#include "daemon/store/store.h"

/*
 * The end of a job: it is judged, its result is written, and it leaves the queue once that is
 * durable.  Every outcome goes this way.
 */
struct news {				/* a job is over and its result is durable; texts are
					 * borrowed for the call */
	int64_t		 job_id, sweep_id, cursor;
	uid_t		 submitter;
	const char	*visibility;	/* as in struct row_owner */
	enum status	 outcome;
	const char	*detail;	/* NULL: none */
	double		 value_ns;	/* its rank; 0: nothing was timed */
	const char	*estimator, *fitness;	/* NULL: none, unknown */
	const char	*text;		/* the result as JSON */
	struct spent	 stages;
	double		 timed_s;	/* of the slots, in all attempts */
};
typedef void	 news_fn(void *arg, const struct news *);
/* Does a client wait for the end of this job? */
typedef bool	 awaited_fn(void *arg, int64_t job_id, int64_t sweep_id);

struct endings {
	const char	*host_class;	/* borrowed; NULL: unknown */
	struct store	*store;		/* borrowed */
	struct queue	*queue;		/* borrowed */
	news_fn		*on_news;	/* NULL: none */
	awaited_fn	*is_awaited;	/* NULL with on_news */
	void		*news_arg;	/* of both */
	/* monotonic clock; when the disk refused a result last, and when that was logged */
	double		 refused_at, logged_at;
	size_t		 nrefused;	/* since then */
};
enum { ENDINGS_REST_S = 5, ENDINGS_LOG_S = 10 };

/*
 * false: the disk has just refused a result.  Until it may write again no job is begun, because its
 * work would be lost too.
 */
bool		 endings_may_write(const struct endings *);

/*
 * detail and timed are borrowed for the call; each may be NULL.  Without memory the job is tried
 * again from the queue.
 */
void		 ending_begin(struct endings *, struct queued_job *, enum status outcome,
		    const char *detail, const struct report *timed, const char *fitness);

/* The same of a built job that gets a stored result: that of the job `of`; borrowed. */
void		 ending_repeat(struct endings *, struct queued_job *, const json_t *stored,
		    int64_t of, const char *fitness);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_ADMISSION_H
#define ASSAY_DAEMON_QUEUE_ADMISSION_H

#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "daemon/queue/queue.h"
#include "daemon/store/store.h"

/* What each submission goes through, at once (intake.h) or in slices (arrivals.h). */

struct admitted {
	enum status		 status;	/* ST_OK: every job is durable and queued */
	const int64_t		*ids;		/* borrowed for the call; NULL: too many */
	size_t			 n, repeated;	/* repeated: ids that an earlier submission got */
	size_t			 jobs;		/* with or without their ids */
	int64_t			 sweep_id;	/* 0: not a sweep */
	const char		*sweep_name;	/* borrowed for the call */
	bool			 existed;	/* the sweep: the same one was submitted before,
						 * nothing is new */
	const struct fault	*why;		/* when status is not ST_OK */
};
typedef void	 admitted_fn(void *arg, const struct admitted *);

/* A call, as its caller gave it. */
struct submission {
	uid_t		 who;
	const json_t	*doc;		/* borrowed for the call */
	admitted_fn	*fn;
	void		*arg;
};

/*
 * Ask this about each job before it is accepted; what it returns other than ST_OK refuses the call.
 */
typedef enum status admission_check_fn(void *arg, const struct job *, struct fault *);

struct admission {
	struct store		*store;		/* borrowed */
	struct queue		*queue;		/* borrowed */
	void			(*on_work)(void *);	/* there is something new to dispatch */
	void			*on_work_arg;
	admission_check_fn	*check;		/* NULL: none */
	void			*check_arg;
	size_t			 reserved;	/* places in the queue, for sweeps that arrive */
};
enum { INTAKE_MAX_JOBS = 10000 };		/* in one call, and announced by their ids */

/* A job and its document.  Jobs of one call mostly share their spec: then it is decoded once. */
struct decoded {
	struct job	 job;
	json_t		*doc;		/* owned reference; NULL: none yet */
};
/* *last: the job decoded before, then this one. */
enum status	 admission_decode(const struct admission *, struct decoded *last,
		    const json_t *doc, struct fault *);
void		 admission_release(struct decoded *);
/* What the store gets of it; borrowed from it. */
struct new_job	 admission_row(const struct decoded *, int64_t sweep_id, uid_t, double submitted);
struct job_terms admission_terms(const struct job *);

/* ST_FULL */
enum status	 admission_room(const struct admission *, size_t n, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_INTAKE_H
#define ASSAY_DAEMON_QUEUE_INTAKE_H

#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "daemon/queue/queue.h"
#include "daemon/store/store.h"
#include "proto/spec/spec.h"

/*
 * Submissions become rows, then queued jobs, in that order: an id that was announced is on disk.  A
 * call is all or nothing.
 */
struct intake;

struct admitted {
	enum status		 status;	/* ST_OK: every job is durable and queued */
	const int64_t		*ids;		/* borrowed for the call */
	size_t			 n, repeated;	/* repeated: ids that an earlier submission got */
	int64_t			 sweep_id;	/* 0: not a sweep */
	const char		*sweep_name;	/* borrowed for the call */
	bool			 existed;	/* the sweep: the same one was submitted before,
						 * nothing is new */
	const struct fault	*why;		/* when status is not ST_OK */
};
typedef void	 admitted_fn(void *arg, const struct admitted *);

enum { INTAKE_MAX_JOBS = 10000 };

/* on_work: there is something new to dispatch. */
enum status	 intake_new(struct intake **, struct store *, struct queue *,
		    void (*on_work)(void *arg), void *arg, struct fault *);
/*
 * Ask this about each job before it is accepted; what it returns other than ST_OK refuses the call.
 */
typedef enum status intake_check_fn(void *arg, const struct job *, struct fault *);
void		 intake_check_with(struct intake *, intake_check_fn *, void *arg);
void		 intake_free(struct intake *);

/*
 * ST_OK: the callback comes exactly once, later, never from within the call (even if the caller has
 * lost interest, so `arg` must live until then).  Anything else: refused, `why` says where
 * ("jobs[3].spec…"), no callback.
 */
enum status	 intake_jobs(struct intake *, uid_t who, const json_t *jobs, admitted_fn *,
		    void *arg, struct fault *);
/*
 * The same sweep of the same submitter again: what it got then.  ST_CONFLICT: another one of that
 * name.
 */
enum status	 intake_sweep(struct intake *, uid_t who, const json_t *sweep,
		    admitted_fn *, void *arg, struct fault *);
/* The jobs of a document of several variants; expand: variants_expand or contest_expand. */
enum status	 intake_document(struct intake *, uid_t who, expand_fn *expand, const json_t *doc,
		    admitted_fn *, void *arg, struct fault *);

/* Put every unfinished job of the store back into the queue (start-up). */
enum status	 intake_recover(struct intake *, struct fault *);

#endif

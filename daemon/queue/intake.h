/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_INTAKE_H
#define ASSAY_DAEMON_QUEUE_INTAKE_H

#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "daemon/queue/admission.h"
#include "proto/spec/spec.h"

/*
 * Submissions become rows, then queued jobs, in that order: an id that was announced is on disk.  A
 * call is all or nothing.
 */
struct intake;

/* on_work: there is something new to dispatch. */
enum status	 intake_new(struct intake **, struct store *, struct queue *,
		    void (*on_work)(void *arg), void *arg, struct fault *);
void		 intake_check_with(struct intake *, admission_check_fn *, void *arg);
void		 intake_free(struct intake *);
struct arrivals	*intake_arrivals(struct intake *);

/*
 * ST_OK: the callback comes exactly once, later, never from within the call (even if the caller has
 * lost interest, so `arg` must live until then).  Anything else: refused, `why` says where
 * ("jobs[3].spec…"), no callback.
 */
enum status	 intake_jobs(struct intake *, uid_t who, const json_t *jobs, admitted_fn *,
		    void *arg, struct fault *);
/*
 * The same sweep of the same submitter again: what it got then.  ST_CONFLICT: another one of that
 * name.  A space of more than INTAKE_MAX_JOBS points arrives in slices (arrivals.h).
 */
enum status	 intake_sweep(struct intake *, uid_t who, const json_t *sweep,
		    admitted_fn *, void *arg, struct fault *);
/* The jobs of a document of several variants; expand: variants_expand or contest_expand. */
enum status	 intake_document(struct intake *, uid_t who, expand_fn *expand, const json_t *doc,
		    admitted_fn *, void *arg, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_SUPERVISE_H
#define ASSAY_WORKER_TRIAL_SUPERVISE_H

#include "proto/spec/spec.h"
#include "proto/wire/msg.h"
#include "worker/plan/slot.h"

/*
 * The stopwatch: one per timing slot.  Keeps an assay-runner alive in a timing jail for as long as consecutive jobs
 * share a driver; decides how many calls make a sample, how many samples make a result, which are accepted, and whether
 * the answer is right.  Never runs submitted code in its own address space.
 */
struct supervisor;

enum status	 supervisor_new(struct supervisor **, const struct slot *, struct fault *);
void		 supervisor_free(struct supervisor *);
void		 supervisor_set_flush(struct supervisor *, uint64_t bytes);	/* of jobs to come; 0: not calibrated */
void		 supervisor_set_quiet(struct supervisor *, const json_t *);	/* worker/quiet/quiet.h; before the first job */
json_t		*supervisor_clock(struct supervisor *);	/* for hello: what auto is, as one of those below */
json_t		*supervisor_clocks(struct supervisor *);	/* of each kind: counter, tick rate, resolution, overhead */

/* Time one built job.  Returns the outcome; detail and report as in proto/wire/msg.h, both owned by the caller. */
enum status	 supervisor_time(struct supervisor *, const struct job *, const struct artifacts *, char **detail,
		    json_t **report);

#endif

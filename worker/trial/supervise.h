/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_SUPERVISE_H
#define ASSAY_WORKER_TRIAL_SUPERVISE_H

#include "proto/spec/spec.h"
#include "proto/wire/calibrated.h"
#include "proto/wire/gate_state.h"
#include "proto/wire/hello.h"
#include "proto/wire/msg.h"
#include "worker/plan/slot.h"

/*
 * The stopwatch: one per timing slot.  Keeps an assay-runner alive in a timing jail for as long as
 * consecutive jobs share submitter and driver and none of them is `internal`.  Decides how many
 * calls make a sample, how many samples make a result, which are accepted, and whether the answer
 * is right.  Never runs submitted code in its own address space.
 */
struct supervisor;

enum status	 supervisor_new(struct supervisor **, const struct slot *, struct fault *);
void		 supervisor_free(struct supervisor *);
/* of jobs to come; if it was another one, they get a new runner */
void		 supervisor_set_submitter(struct supervisor *, uid_t);
/* of jobs to come; all 0: this host is not calibrated */
void		 supervisor_set_calibrated(struct supervisor *, const struct calibrated *);
/* before the first job */
void		 supervisor_set_quiet(struct supervisor *, const struct gate_state *);
/*
 * The meaning of auto, and each kind of clock; the list, of struct clock_report, is to be freed.
 * false: no memory.
 */
bool		 supervisor_clocks(struct supervisor *, struct clock_report *automatic,
		    struct shape_list *all);

/*
 * Time one built job.  Returns the outcome; detail, report and what is kept beside it as in
 * proto/wire/msg.h, all owned by the caller.
 */
enum status	 supervisor_time(struct supervisor *, const struct job *, const struct artifacts *,
		    char **detail, char **report, struct kept *);

#endif

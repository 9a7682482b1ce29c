/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_TRIAL_REPORT_H
#define ASSAY_WORKER_TRIAL_TRIAL_REPORT_H

#include "proto/wire/report.h"
#include "worker/trial/trial.h"

/* Large parts of a trial's report, which trial_report.c puts together.  false: no memory. */
bool		 trial_put_technique(struct technique *out, struct trial *);
/* `range` has text of `out`. */
bool		 trial_put_evidence(struct evidence *out, struct trial *, char range[RANGE_WORDS]);

/* Of the variants that were timed, the one whose times are trusted least. */
const struct job_audit *trial_weakest_audit(const struct trial *);

#endif

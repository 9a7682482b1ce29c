/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_TRIAL_COPIES_H
#define ASSAY_WORKER_TRIAL_TRIAL_COPIES_H

#include "proto/wire/report.h"
#include "worker/trial/trial.h"

/* What the report has of copies that ran at once. */

/* The CPUs of the copies, in their order; false: no memory. */
bool		 trial_put_copies_cpus(struct shape_sizes *out, const struct trial *);

/* A row for each core, with a time for each sample that is kept; false: no memory. */
bool		 trial_put_cores(struct shape_list *out, struct trial *);

/* Skew and common window of the samples that are kept; false: no memory. */
bool		 trial_put_skew(struct sample_evidence *out, const struct trial *);

#endif

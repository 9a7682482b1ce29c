/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_CORES_H
#define ASSAY_DAEMON_JUDGE_CORES_H

#include "proto/wire/result.h"

/*
 * Copies of a variant that ran at once: a row for each core, and the median of the cores' medians.
 * A core's median and interval are of its processes, as a job's are.  Each has a time for each
 * sample of the job, or there are no rows.  The rows borrow the report's times.  ST_NOMEM.
 */
enum status	 cores_judge(const struct report *, struct result_time *);
void		 cores_release(struct result_time *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_SUMMARY_H
#define ASSAY_DAEMON_JUDGE_SUMMARY_H

#include "daemon/judge/stats.h"
#include "proto/wire/result.h"

/* Samples → statistics → what a result says of them. */

/*
 * Of one number x for each sample, in the order of taking; they are sorted then.  Median and
 * interval are of processes, if there were several.  ST_NOMEM.
 */
enum status	 summary_stats(const struct samples *, double *x, struct stats *);

void		 summary_fill(struct summary *, const struct stats *);

/* Of the samples as value_ns takes them. */
const struct summary	*summary_ranked(const struct result_time *);

#endif

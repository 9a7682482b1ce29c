/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_PROCESSES_H
#define ASSAY_DAEMON_JUDGE_PROCESSES_H

#include "daemon/judge/stats.h"
#include "proto/wire/result.h"

/*
 * Samples of several processes of one variant.  Those of one process share its addresses, pages and
 * predictors, so they are no independent draws: the median is that of the processes' medians, and
 * its interval is theirs (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", 2013, on
 * levels of repetition; the interval is by order statistics).
 */

/*
 * Replace median and interval of s, the statistics of the samples x: n of them, ascending in
 * `process`, which are sorted within their processes.  With one process all stays.  With fewer than
 * six there is no interval.  ST_NOMEM.
 */
enum status	 processes_rank(double *x, const uint64_t *process, size_t n, struct stats *s);

/*
 * Medians, spreads and states.  Two states: the widest gap between neighbouring medians is a
 * twelfth of the smaller or more, and three times the range on either side of it, and two processes
 * at least are on each.  To be released; clear for one process.  ST_NOMEM.
 */
enum status	 processes_judge(const double *x, const uint64_t *process, size_t n,
		    struct result_processes *out);
void		 processes_release(struct result_processes *);

#endif

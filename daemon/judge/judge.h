/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_JUDGE_H
#define ASSAY_DAEMON_JUDGE_JUDGE_H

#include "daemon/judge/stats.h"
#include "daemon/queue/queue.h"
#include "proto/wire/result.h"

/* Samples and evidence → statistics and the result object (proto/wire/result.h). */
struct case_file {			/* all that is known of one finished job; borrowed */
	const struct queued_job	*job;
	enum status		 outcome;
	const char		*detail;	/* NULL: none */
	const struct report	*timed;		/* NULL: never timed */
	const char		*fitness;	/* hash of the host's state; NULL: unknown */
	double			 finished;	/* seconds since the epoch */
	int64_t			 cursor;	/* the result's */
};

struct judgement {
	char		*text;		/* owned by the caller; the result as JSON */
	double		 value_ns;	/* its rank; 0: nothing was timed */
	const char	*estimator;	/* of value_ns, static; NULL: none */
};

enum status	 judge_result(const struct case_file *, struct judgement *);	/* ST_NOMEM */

void		 judge_summary(struct summary *, const struct stats *);

/*
 * Of one number x for each sample, in the order of taking; they are sorted then.  Median and
 * interval are of processes, if there were several.  ST_NOMEM.
 */
enum status	 judge_stats(const struct samples *, double *x, struct stats *);

#endif

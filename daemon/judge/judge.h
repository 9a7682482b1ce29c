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
	/* the result of the job repeat_of, which this one gets; NULL: none */
	const json_t		*stored;
	int64_t			 repeat_of;
	const char		*fitness;	/* hash of the host's state; NULL: unknown */
	const char		*host_class;	/* topology_class; NULL: unknown */
	double			 finished;	/* seconds since the epoch */
	double			 ended;		/* the same instant on the monotonic clock */
	int64_t			 cursor;	/* the result's */
};

/* For the daemon's own counters; seconds below 0: the job did not come to that. */
struct spent {
	double		 waiting_s, build_s, timing_s;
	uint64_t	 samples, canary_rejected, memory_rejected;
};

struct judgement {
	char		*text;		/* owned by the caller; the result as JSON */
	double		 value_ns;	/* its rank; 0 without an estimator: it has none */
	const char	*estimator;	/* of value_ns, static; NULL: none */
	double		 half;		/* of its 95 % interval, relative; NaN: it has none */
	struct spent	 spent;
};

enum status	 judge_result(const struct case_file *, struct judgement *);	/* ST_NOMEM */

/* Of the samples as value_ns takes them. */
const struct summary	*judge_ranked(const struct result_time *);

void		 judge_summary(struct summary *, const struct stats *);

/*
 * Of one number x for each sample, in the order of taking; they are sorted then.  Median and
 * interval are of processes, if there were several.  ST_NOMEM.
 */
enum status	 judge_stats(const struct samples *, double *x, struct stats *);

#endif

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

/*
 * The estimator that ranks a result.  "normalised" is the median of times divided by how slow the
 * clock was; it needs samples that were gated, each with a reading.
 *
 *	asked for		such samples	not
 *	normalised		normalised	median
 *	min, median		as asked	as asked
 *	auto: cpu clock		median		median
 *	auto: random layouts	normalised	median
 *	auto: difference	normalised	median		(the least one has most noise)
 *	auto			normalised	min		(Whaley and Castaldo, section 2.1)
 */
enum estimator	 judge_estimator(const struct timing *, bool is_normalised);

void		 judge_summary(struct summary *, const struct stats *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_JUDGE_H
#define ASSAY_DAEMON_JUDGE_JUDGE_H

#include "daemon/judge/stats.h"
#include "daemon/queue/queue.h"
#include "proto/spec/spec.h"
#include "proto/wire/msg.h"

/*
 * Raw samples and evidence → statistics and the result object that is stored and sent (proto/PROTOCOL.md, "The
 * result").
 */
struct case_file {			/* everything known about one finished job; all borrowed */
	const struct queued_job	*job;
	const json_t		*doc;		/* the job document; NULL: could not be read */
	const char		*sweep_name;	/* NULL: none */
	enum status		 outcome;
	const char		*detail;	/* NULL: none */
	const json_t		*timed;		/* the worker's report of a timing; NULL: never timed */
	const char		*fitness;	/* hash of the host's state; NULL: unknown */
	double			 finished;	/* seconds since the epoch */
};

/* New reference; NULL: out of memory. */
json_t		*judge_result(const struct case_file *);

/*
 * The samples' numbers under `member` (a sample without it: 0), in order; *n of them, owned by the caller; NULL: none,
 * or out of memory.
 */
double		*judge_numbers(const json_t *timed, const char *member, size_t *n);
void		 judge_put_summary(json_t *, const struct stats *);	/* min_ns, median_ns, …, ci95_ns */

/*
 * What ranks a result: the median for CPU time; for the other clocks the median of the times divided by their canary
 * readings when all were taken in quiet and have one; without them the minimum (Whaley and Castaldo, 2.1), but the
 * median over random layouts, and for differences, the least of which is the one with most noise.  Or what the spec
 * says: "normalised" without readings is the median.
 */
enum estimator	 judge_estimator(const struct spec *, bool has_canary);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_H
#define ASSAY_DAEMON_JUDGE_H

#include "daemon/queue.h"
#include "proto/msg.h"
#include "proto/spec.h"

/*
 * Raw samples and evidence → statistics and the result object that is stored and sent (proto/PROTOCOL.md, "The result").
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

/* The estimator for a clock when the spec leaves it open: minimum for wall and cycle, median for CPU (seed 001, 2.1). */
enum estimator	 judge_estimator(const struct spec *);

#endif

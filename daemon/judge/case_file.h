/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_CASE_FILE_H
#define ASSAY_DAEMON_JUDGE_CASE_FILE_H

#include "daemon/queue/queue.h"
#include "proto/wire/result.h"

/* All that is known of one finished job; borrowed. */
struct case_file {
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

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_METRIC_H
#define ASSAY_WORKER_TAKE_METRIC_H

#include "proto/wire/report.h"
#include "worker/take/take.h"

/*
 * The metric of a user's evaluation library: how much more evaluationStop said than evaluationStart
 * did, for each of some samples.  They are taken in a process that has the library, and none of
 * them counts as a time.  Whatever goes wrong ends the metric alone: it is absent, with the reason.
 */
enum { METRIC_WORDS = 1024 };

struct metric_taken {
	char		 name[RUNNER_METRIC_BYTES], unit[RUNNER_METRIC_BYTES];
	char		 absent[METRIC_WORDS];		/* why; "": it is there */
	uint64_t	 calls;				/* of a sample */
	unsigned	 n;
	double		 sample[RUNNER_SAMPLES];	/* all finite unless it is absent */
};

/* `asked` names it; else what the library said does, once it is known. */
void		 metric_begin(struct metric_taken *, const struct metric *asked);
void		 metric_name(struct metric_taken *, const struct metric *asked,
		    const struct bench_metric *said);

void		 metric_is_absent(struct metric_taken *, const char *why);

/*
 * Samples of what is loaded, by a closed plan with chosen calls, then the library's end.  Of the
 * setting only orders are used.  ST_CANCELLED, else ST_OK.
 */
enum status	 metric_run(struct metric_taken *, const struct plan *, const struct take_setting *,
		    struct bench_reply *);

/* A list of one struct metric_report, which borrows; false: no memory. */
bool		 metric_report(const struct metric_taken *, double iterations, struct shape_list *);

#endif

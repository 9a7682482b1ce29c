/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_FIT_H
#define ASSAY_CLIENT_SEARCH_FIT_H

#include "client/connect/connection.h"
#include "client/print/progress.h"
#include "client/search/fitted.h"
#include "client/search/inputs.h"

/*
 * Fitting a context: in which one does a variant take the time that its routine took in an
 * application?  Ordinary jobs try states of its operands, one after the other, as
 * client/search/states.h chooses them, each right after a job with all of them warm.  If no state
 * hits the time, jobs with a flush of part of the cache follow (client/search/solve.h).  If inputs
 * took turns in a job by themselves, they do so in all; if one was learnt by heart, they are tried.
 */
struct fit {
	struct connection	*connection;	/* borrowed */
	const json_t		*job;		/* borrowed; its context does not matter */
	struct progress		*progress;	/* borrowed */
	json_t			*ids;		/* owned; the jobs under way, to be cancelled; NULL:
						 * none */
	json_t			*turning;	/* owned; members with which inputs take turns */
	enum inputs		 inputs;	/* those that calls meet now */
	enum inputs_sign	 sign;		/* of any result on inputs as given */
	struct states		 states[INPUTS_N];	/* names are the job's */
	struct solve		 solve;
	double			 band;
	uint64_t		 most_bytes;	/* of a flush */
	unsigned		 evaluations;	/* the most jobs for one time */
};

/*
 * band: relative to the time asked for.  Asks the daemon for the host's caches, and how much
 * flushes them.
 */
enum status	 fit_init(struct fit *, struct connection *, const json_t *job, struct progress *,
		    double band, unsigned evaluations, struct fault *);
void		 fit_release(struct fit *);

/*
 * Find the context for one time.  States that were timed for one target are known for the next.
 * If the variant cannot be timed, the status is its outcome.
 */
enum status	 fit_time(struct fit *, double asked_ns, struct fitted *, struct fault *);

#endif

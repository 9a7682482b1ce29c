/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_FIT_H
#define ASSAY_CLIENT_SEARCH_FIT_H

#include "client/connect/connection.h"
#include "client/print/progress.h"
#include "client/search/fitted.h"

/*
 * Fitting a context: in which one does a variant take the time that its routine took in an
 * application?  Ordinary jobs try sizes of a partial flush, one after the other, as
 * client/search/solve.h chooses them.  If no flush is enough, they try the cold context, which has
 * cold address translations as well.
 */
struct fit {
	struct connection	*connection;	/* borrowed */
	const json_t		*job;		/* borrowed; its context does not matter */
	struct progress		*progress;	/* borrowed */
	json_t			*ids;		/* owned; the job under way, to be cancelled; NULL:
						 * none */
	struct solve		 solve;
	double			 cold_ns, cold_times;	/* in the cold context; 0: not timed */
	unsigned		 evaluations;	/* the most for one time */
};

/* band: relative to the time asked for.  Asks the daemon how much flushes its host. */
enum status	 fit_init(struct fit *, struct connection *, const json_t *job, struct progress *,
		    double band, unsigned evaluations, struct fault *);
void		 fit_release(struct fit *);

/*
 * Find the context for one time.  Times measured for one target are kept for the next.  If the
 * variant cannot be timed, the status is its outcome.
 */
enum status	 fit_time(struct fit *, double asked_ns, struct fitted *, struct fault *);

#endif

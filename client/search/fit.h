/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_FIT_H
#define ASSAY_CLIENT_SEARCH_FIT_H

#include <jansson.h>

#include "client/connect/connection.h"
#include "client/print/progress.h"
#include "client/search/solve.h"

/*
 * Fitting a context: which one makes a variant take the time that its routine took in an application?  Sizes of a
 * partial flush are tried by ordinary jobs, one after the other (client/search/solve.h says which), and the cold context where
 * no flush is enough: that one also has cold address translations.
 */
struct fit {
	struct connection	*connection;		/* borrowed */
	const json_t	*job;		/* borrowed; its context does not matter */
	struct progress	*progress;	/* borrowed */
	json_t		*ids;		/* owned; of the job under way, to be taken back; NULL: none */
	struct solve	 solve;
	double		 cold_ns, cold_times;	/* of the cold context; 0: not timed */
	unsigned	 evaluations;	/* that one time may cost at most */
};

/* band: of the asked time.  Asks the daemon how much flushes its host. */
enum status	 fit_init(struct fit *, struct connection *, const json_t *job, struct progress *, double band,
		    unsigned evaluations, struct fault *);
void		 fit_release(struct fit *);

/*
 * One time.  *out: { asked_ns, outcome, context, reached_ns, difference, band, warm_ns, flushed_ns, flushed_bytes,
 * cold_ns, evaluations: [{ flush_bytes, time_ns, times }] }; outcome is one of solve_end_name's, context what to put
 * into a spec.  A new reference.  What was measured for one time is known for the next.  A variant that cannot be timed
 * gives its outcome as the status.
 */
enum status	 fit_time(struct fit *, double asked_ns, json_t **out, struct fault *);

#endif

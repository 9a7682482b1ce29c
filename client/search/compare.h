/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_COMPARE_H
#define ASSAY_CLIENT_SEARCH_COMPARE_H

#include "client/connect/connection.h"
#include "client/print/progress.h"
#include "client/print/results/results.h"
#include "client/search/confirm.h"

/* Comparisons of variants with a first one, by the daemon's compare.run. */
struct compare {
	struct connection	*connection;	/* borrowed */
	struct progress		 progress;
	json_t			*ids;		/* owned; jobs of the last run, to be cancelled by
						 * Ctrl-C */
	struct results		 results;	/* of these jobs, in the order of the ids */
};

/* `params` (taken) are those of compare.run.  Returns when all results are there; ST_CANCELLED. */
enum status	 compare_run(struct compare *, json_t *params, struct fault *);
void		 compare_release(struct compare *);

/* All rounds of a confirmation that has been set up.  `results` has the last one's. */
enum status	 compare_confirm(struct compare *, struct confirm *, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_COMPARE_H
#define ASSAY_CLIENT_SEARCH_COMPARE_H

#include <stdio.h>

#include <jansson.h>

#include "client/connect/connection.h"
#include "client/print/progress.h"

/* Comparisons of variants with a first one, as compare.run does them. */
struct compare {
	struct connection	*connection;		/* borrowed */
	struct progress	 progress;
	json_t		*ids;		/* owned; of the jobs that were handed in last, for whoever takes them back */
	json_t		*results;	/* owned; theirs, in the order of the ids */
};

/* `params` (taken) are those of compare.run.  Returns with all results there; ST_CANCELLED: Ctrl-C. */
enum status	 compare_run(struct compare *, json_t *params, struct fault *);
void		 compare_release(struct compare *);

/*
 * The best of several jobs, fastest first as they seem, as client/search/confirm.h has it.  *found: what confirm_outcome says; new
 * reference.  The comparisons of the last round are left in `results`.
 */
enum status	 compare_confirm(struct compare *, const json_t *results, double error, json_t **found, struct fault *);

/* One line for the first variant and one for each that was compared with it. */
enum status	 compare_print(FILE *, const json_t *results, size_t columns, struct fault *);

#endif

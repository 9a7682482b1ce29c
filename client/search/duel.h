/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_DUEL_H
#define ASSAY_CLIENT_SEARCH_DUEL_H

#include <stdio.h>

#include <jansson.h>

#include "client/print/progress.h"
#include "client/talk/talk.h"

/* Comparisons of variants with a first one, as compare.run does them. */
struct duel {
	struct talk	*talk;		/* borrowed */
	struct progress	 progress;
	json_t		*ids;		/* owned; of the jobs that were handed in last, for whoever takes them back */
	json_t		*results;	/* owned; theirs, in the order of the ids */
};

/* `params` (taken) are those of compare.run.  Returns with all results there; ST_CANCELLED: Ctrl-C. */
enum status	 duel_run(struct duel *, json_t *params, struct fault *);
void		 duel_release(struct duel *);

/*
 * The best of several jobs, fastest first as they seem, as client/search/rivals.h has it.  *found: what rivals_found says; new
 * reference.  The comparisons of the last round are left in `results`.
 */
enum status	 duel_confirm(struct duel *, const json_t *results, double error, json_t **found, struct fault *);

/* One line for the first variant and one for each that was compared with it. */
enum status	 duel_print(FILE *, const json_t *results, size_t columns, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_LISTING_H
#define ASSAY_CLIENT_PRINT_RESULTS_LISTING_H

#include "client/print/cli.h"
#include "client/print/results/ranking.h"
#include "proto/wire/result.h"

/*
 * Results on their way to stdout, in the form that was asked for: a table at the end, one JSON
 * document at the end, or one line each (JSON, CSV, brief) at once.
 */
struct listing;

enum listing_form { LISTING_TABLE, LISTING_JSON, LISTING_NDJSON, LISTING_CSV, LISTING_BRIEF };
enum {
	LISTING_SPEEDUP = 1,		/* a column of speed-ups over the cell's first row */
	LISTING_BY_JOB = 2,		/* rows in the order of their jobs */
	LISTING_SILENT = 4,		/* no table: only the exit code matters */
	LISTING_RANKED = 8,		/* the table is sorted, the fastest at the top */
	LISTING_CELLS = 16,		/* of several cells: the fastest of each is named */
	LISTING_CORES = 32,		/* CSV has a line for each core */
};

enum listing_form listing_form(const struct cli *);	/* of --json, --ndjson, --brief */

enum status	 listing_new(struct listing **, enum listing_form, unsigned how, struct fault *);
void		 listing_free(struct listing *);

/* Add one result: its document and its struct, both borrowed for the call. */
enum status	 listing_add(struct listing *, const json_t *document, const struct result *,
		    struct fault *);
enum status	 listing_add_all(struct listing *, const json_t *documents, struct fault *);
size_t		 listing_count(const struct listing *);

/* Print what is left.  `more` (taken; NULL: none) has further members of the JSON document. */
enum status	 listing_end(struct listing *, json_t *more, struct fault *);
/* *rows: in the order of the table, owned by the caller until the ranking is done with. */
/* Differences below this share of a time are noise; NaN: not known. */
void		 listing_set_noise(struct listing *, double noise);
/* Are its results of several cells, and is the fastest of each to be named? */
bool		 listing_has_cells(const struct listing *);
enum status	 listing_rank(const struct listing *, const struct row ***rows, struct ranking *,
		    struct fault *);
/* "6 jobs: 4 ok, 1 crashed, 1 run_timeout" */
void		 listing_put_summary(const struct listing *, char *buf, size_t bytes);
/* For the first row that is not ok, in the order printed; 0: all are. */
int		 listing_exit_code(const struct listing *);

#endif

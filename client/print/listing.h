/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_LISTING_H
#define ASSAY_CLIENT_PRINT_LISTING_H

#include <jansson.h>

#include "client/print/cli.h"

/*
 * Results on their way to stdout, in the form that was asked for: a table at the end, one JSON document at the end, or
 * one line each (JSON, CSV) at once.
 */
struct listing;

enum listing_form { LISTING_TABLE, LISTING_JSON, LISTING_NDJSON, LISTING_CSV };
enum { LISTING_SPEEDUP = 1, LISTING_BY_JOB = 2, LISTING_SILENT = 4 };	/* silent: no table, only tell the exit code */

enum listing_form listing_form(const struct cli *);	/* of --json, --ndjson */

enum status	 listing_new(struct listing **, enum listing_form, unsigned how, struct fault *);
void		 listing_free(struct listing *);
enum status	 listing_add(struct listing *, const json_t *result, struct fault *);
size_t		 listing_count(const struct listing *);

/* Print what is still to be printed.  `more` (taken; NULL: none) holds further members for the JSON document. */
enum status	 listing_end(struct listing *, json_t *more, struct fault *);
/* "6 jobs: 4 ok, 1 crashed, 1 run_timeout" */
void		 listing_put_summary(const struct listing *, char *buf, size_t bytes);
/* 0 if all are ok, else that of the first (in the order printed) that is not. */
int		 listing_exit_code(const struct listing *);

#endif

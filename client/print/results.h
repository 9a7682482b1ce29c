/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_H
#define ASSAY_CLIENT_PRINT_RESULTS_H

#include "proto/wire/result.h"

/*
 * Results as a daemon sends them, of whatever version: what a document lacks, or has in another
 * form, is none in the struct (SHAPE_LENIENT).
 */
struct results {
	json_t		*documents;	/* owned; the array, which has the texts of the structs */
	struct result	*at;		/* owned; n, in the same order */
	size_t		 n;
};

/* One document, borrowed as long as the struct.  ST_IO: it is no object. */
enum status	 results_read_one(struct result *, const json_t *document, struct fault *);

/* Takes a reference to the array.  ST_IO: it is none, or not all of it are objects. */
enum status	 results_read(struct results *, const json_t *array, struct fault *);
void		 results_release(struct results *);	/* zeroed memory is fine */

/* ST_INTERNAL: no word that this version knows. */
enum status	 results_outcome(const struct result *);
int		 results_exit_code(const struct results *);	/* the first that is not ok; else 0 */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_RESULTS_H
#define ASSAY_CLIENT_PRINT_RESULTS_RESULTS_H

#include "proto/wire/result.h"

/*
 * Results from a daemon of any version.  A member that a document lacks, or has in another form, is
 * none in the struct (SHAPE_LENIENT).
 */
struct results {
	json_t		*documents;	/* owned; the array, with the texts of the structs */
	struct result	*at;		/* owned; n, in the same order */
	size_t		 n;
};

/* Read one document, which must live as long as the struct.  ST_IO: it is no object. */
enum status	 results_read_one(struct result *, const json_t *document, struct fault *);

/* Read an array, and keep a reference to it.  ST_IO: it is no array of objects. */
enum status	 results_read(struct results *, const json_t *array, struct fault *);
void		 results_release(struct results *);	/* zeroed memory is fine */

/* ST_INTERNAL: an unknown word. */
enum status	 results_outcome(const struct result *);
/* What a ranking multiplies its times by: corrected for drift or not, 1. */
double		 results_correction(const struct result *);
/* Of the first that is not ok; else 0 */
int		 results_exit_code(const struct results *);

#endif

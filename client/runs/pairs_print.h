/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_RUNS_PAIRS_PRINT_H
#define ASSAY_CLIENT_RUNS_PAIRS_PRINT_H

#include <stdio.h>

#include "client/runs/pairs.h"

enum { PAIRS_SENTENCE_BYTES = 400 };

/* "2 of 120 pairs are slower, 5 faster, …"; returns the buffer. */
char		*pairs_sentence(const struct pairs *, char buf[PAIRS_SENTENCE_BYTES]);
/* Of a pair: the variant, its params, and that it is one of several. */
json_t		*pairs_document(const struct pairs *, const struct run *a, const struct run *b);

/* all: pairs that cannot be told apart, too.  columns: as table_print. */
enum status	 pairs_print(const struct pairs *, FILE *, size_t columns, bool all,
		    struct fault *);

/* What the reader is to know of the two runs before any verdict: new array of texts. */
json_t		*pairs_warnings(const struct run *a, const struct run *b);

#endif

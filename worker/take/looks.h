/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_LOOKS_H
#define ASSAY_WORKER_TAKE_LOOKS_H

#include "worker/take/paired.h"
#include "worker/take/taken.h"

/*
 * The end of a comparison: when it has enough pairs, and their verdict.  There are a few looks at
 * the pairs so far (worker/take/paired.h); the first that finds a verdict ends it.
 */
struct looks {
	const struct contest	*rule;		/* borrowed */
	unsigned		 looks;		/* taken */
};

struct looks_end {
	struct paired	 found;			/* pairs 0: there were none */
	unsigned	 looks;
	const char	*by;			/* what ended it */
};

struct take_rule looks_rule(struct looks *);	/* borrows */

/* The verdict of the pairs that were kept, when sampling is over.  ST_INTERNAL: no memory. */
enum status	 looks_end(const struct looks *, const struct take *, struct looks_end *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STOP_LOOKS_H
#define ASSAY_WORKER_STOP_LOOKS_H

#include "worker/chain/pairs.h"
#include "worker/stop/paired.h"
#include "worker/taken/take_clock.h"
#include "worker/taken/taken.h"

/*
 * The course of a comparison: when both variants are loaded anew, when there are enough pairs, and
 * their verdict.  A group ends when it has its pairs, or too many of them did not count.  There are
 * a few looks at the groups so far (worker/stop/paired.h); the first that finds a verdict ends it.
 */
struct looks {
	const struct contest	*rule;		/* borrowed */
	struct pairs		*pairs;		/* borrowed */
	const struct take_clock	*clock;		/* borrowed */
	bool			 needs_quiet;	/* loud pairs never count */
	uint64_t		 end_ns;	/* no more than LOOKS_PAIRS after that */

	unsigned		 each;		/* pairs of a group; 0: no pair was taken yet */
	size_t			 first;		/* pair of the present two processes */
	unsigned		 next;		/* groups at the next look */
	unsigned		 looks;		/* taken */
};

struct looks_end {
	struct paired	 found;			/* pairs 0: there were none */
	unsigned	 looks;
	const char	*by;			/* what ended it */
};

enum {
	LOOKS_PAIRS	= 101,		/* that a comparison may take, however long they take */
	LOOKS_TRIES	= 2,		/* times the pairs of a group that may be taken for it */
};
#define LOOKS_PATIENCE_NS	250000000u	/* for quiet pairs in each group */

/* For pairs that begin now.  A plan has a budget for each of the two.  Borrows the others. */
void		 looks_begin(struct looks *, const struct contest *, struct pairs *,
		    const struct plan *, const struct take_clock *);
struct take_rule looks_rule(struct looks *);	/* borrows */

/* The verdict of the pairs that were kept, when sampling is over.  ST_INTERNAL: no memory. */
enum status	 looks_end(const struct looks *, const struct take *, struct looks_end *);

#endif

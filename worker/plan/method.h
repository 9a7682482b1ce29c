/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_METHOD_H
#define ASSAY_WORKER_PLAN_METHOD_H

#include "worker/plan/plan.h"

/*
 * A method of timing, on the supervisor's side: for which specs it is, its orders, and its members
 * in a result.  A new one is a file like these.  It needs a row in the table of plan.c, a row on
 * the runner's side (worker/runner/method/method.h), a word and a document.
 */

/* Input of a plan. */
struct plan_wants {
	const struct spec	*spec;		/* borrowed */
	const struct slot	*slot;		/* borrowed */
	bool			 can_flush;	/* this machine can: a line, by instruction */
	bool			 places;	/* some operand shall be in L2 or L3 */
	uint64_t		 written;	/* bit k: operand k is */
};

struct plan_method {
	const char	*name;		/* in the result's technique */

	/* Does this method fit?  The first in the table that does is taken. */
	bool		 (*applies)(const struct plan *, const struct plan_wants *);
	/* Complete a plan that has the members common to all methods; ST_BAD_SPEC: why not. */
	enum status	 (*make)(struct plan *, const struct plan_wants *, struct fault *);
	/* As plan_one_call_will_do.  NULL: more calls are always tried. */
	bool		 (*one_call_will_do)(const struct plan *, double call_ns);

	bool		 walks;			/* calls take turns on working sets */
	bool		 is_challenge;		/* audits are the samples */
	bool		 repeats;		/* calls may be repeated at will */
	bool		 code_in_cache;		/* when a region begins */
	bool		 reads_tables;		/* its flush looks translations up */
	bool		 drops_tables;		/* its flush drives page tables out of caches */
};

/* Nothing is cold, code neither, and no operand has a place of its own. */
bool		 plan_is_warm(const struct plan *, const struct plan_wants *);

/* Set the number of samples; `usual`: if the spec has none. */
void		 plan_set_samples(struct plan *, const struct timing *, unsigned usual);

/* One call a sample, its operands flushed so. */
void		 plan_one_call(struct plan *, const struct plan_wants *, enum runner_flush);

/* MultiCallFlushLRU.  false, and the plan as it was: the sets would take too much memory. */
bool		 plan_use_multi(struct plan *, const struct spec *, const struct slot *);

/*
 * Page tables of cold operands, after the flush: in memory, where other work leaves them, or
 * brought back into a cache.  Set the members of the orders.
 */
void		 plan_set_tables(struct plan *, const struct spec *);

enum status	 plan_refuse(struct fault *, const char *text);	/* spec.timing.flush.method */

#endif

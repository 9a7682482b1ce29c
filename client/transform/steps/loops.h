/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_STEPS_LOOPS_H
#define ASSAY_CLIENT_TRANSFORM_STEPS_LOOPS_H

#include "client/transform/tree/bounds.h"
#include "client/transform/work/work.h"

/*
 * Loops by name: `p`, or `p#2` for the second one with that name in the order of the text.
 */
struct loop_at {
	struct region	*region;
	struct node	*block;		/* whose kid `at` is the loop */
	size_t		 at;
	struct node	*loop;
};

struct step_args;

enum status	 loops_find(struct work *, const struct script_step *, const char *name,
		    struct loop_at *, struct fault *);
/* All loops of that name; at most `most`, the number of them is returned. */
size_t		 loops_all(struct work *, const char *name, struct loop_at *, size_t most);

enum { LOOPS_MAX_CHAIN = AFFINE_MAX_LOOPS };

/* Loops, each the only statement in the one before. */
struct chain {
	struct loop_at	 top;
	struct node	*loops[LOOPS_MAX_CHAIN];
	size_t		 n;
	size_t		 named[SCRIPT_MAX_ITEMS];	/* where the names are in it */
};

/*
 * The chain from the first to the last of the names; they may stand in any order if `any_order`.
 */
enum status	 loops_chain(struct work *, const struct script_step *, const char *const *names,
		    size_t n, bool any_order, struct chain *, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_MODEL_WALK_H
#define ASSAY_CLIENT_TRANSFORM_MODEL_WALK_H

#include "client/transform/model/model.h"

/* From the root of a tree down, statement by statement, into a model. */

enum { WALK_MAX_SCOPE = 256 };

/* A variable that is declared in a body: each iteration of the loops around has its own. */
struct scoped {
	struct symbol	*symbol;
	unsigned	 number;	/* of its declaration; several after a step */
	size_t		 depth;
};

struct around {
	bool		 is_down;
	struct term	*first;		/* of a loop with steps above 1; else NULL */
	int64_t		 step;
};

struct walk {
	struct model	*to;
	struct affine	 here;
	isl_set		*domain;	/* owned */
	unsigned	 at[AFFINE_MAX_LOOPS + 1];	/* position among its siblings, by depth */
	struct around	 around[AFFINE_MAX_LOOPS];
	struct scoped	 scope[WALK_MAX_SCOPE];
	size_t		 nscope;
	unsigned	 nodes, declarations;
	struct fault	*why;
};

enum status	 walk_node(struct walk *, struct node *);
/* The first thing that the model cannot say. */
void		 walk_problem(struct walk *, struct place, const char *text);
/* A loop's values, within those of the loops around it; it is the innermost of `here`. */
void		 walk_constrain(struct walk *, isl_set *by);		/* takes the set */
void		 walk_constrain_loop(struct walk *, const struct node *loop);
/* One step of the computation. */
void		 walk_atom(struct walk *, struct node *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_TREE_TREE_H
#define ASSAY_CLIENT_TRANSFORM_TREE_TREE_H

#include "client/transform/tree/term.h"

/*
 * A loop nest as a tree.  Steps change it; the same code reads what the tree does before the first
 * step and after the last one, so that a step that changes too much is found out.
 *
 * Each statement knows in which iteration of the original nest it is: `origin` has a term over the
 * present loops for each original loop around it.
 */
enum node_kind { NODE_BLOCK, NODE_LOOP, NODE_IF, NODE_STATEMENT, NODE_DECLARATION, NODE_OPAQUE };

struct node {
	enum node_kind	  kind;
	struct place	  at;
	unsigned	  end;		/* offset behind it in the file */
	struct node	**kids;		/* of a loop: its body, a block; of an if: one or two
					 * blocks */
	size_t		  nkids;
	const char	 *comment;	/* in front of it, as it stands; or NULL */
	const char	 *text;		/* NODE_OPAQUE */

	/*
	 * NODE_LOOP: from the largest of `lo` up to and without the smallest of `hi`, or down
	 * from there; each `step`-th value.
	 */
	struct symbol	 *var;
	bool		  declares;	/* for (int var …) */
	bool		  is_down;
	struct term	**lo, **hi;
	size_t		  nlo, nhi;
	int64_t		  step;		/* > 0 */
	int64_t		  ahead;	/* unrolled: how far its body goes beyond var */
	bool		  is_unrolled;
	bool		  is_left;	/* the iterations that an unrolled loop leaves */
	bool		  is_rest;	/* so, and goes on where that one stopped */
	int64_t		  rest_step;	/* step of that loop */
	const char	**pragmas;
	size_t		  npragmas;

	struct term	 *cond;		/* NODE_IF */

	/* NODE_STATEMENT, and NODE_IF that depends on data: one step of the computation */
	bool		  is_atom;
	bool		  is_copy;	/* made by a step; hands a value on */
	unsigned	  id;
	struct term	 *term;		/* NODE_STATEMENT; of a declaration the value or NULL */
	struct term	**origin;
	size_t		  norigin;

	struct symbol	 *declared;	/* NODE_DECLARATION */
	const char	 *before, *after;	/* the text around its name */
};

struct node	*node_new(struct arena *, enum node_kind, struct place);
void		 node_add(struct arena *, struct node *block, struct node *kid);
/* Kid `at` of a block becomes the `n` nodes of `by`. */
void		 node_splice(struct arena *, struct node *block, size_t at, struct node *const *by,
		    size_t n);
struct node	*node_clone(struct arena *, const struct node *);
struct node	*node_loop(struct arena *, struct symbol *, struct term *lo, struct term *hi,
		    struct place);

/* All terms in and below a node are mapped, bounds, conditions and origins too. */
void		 node_map(struct arena *, struct node *, term_map_fn *, void *arg);
void		 node_replace(struct arena *, struct node *, const struct symbol *,
		    struct term *by);

/* Each node from the root down until one returns false; false: one did. */
typedef bool	 node_visit_fn(void *arg, struct node *);
bool		 node_visit(struct node *, node_visit_fn *, void *arg);
/* Each term below a node but origins. */
bool		 node_visit_terms(struct node *, term_visit_fn *, void *arg);
bool		 node_uses(struct node *, const struct symbol *);
/* It, or an expression below it, assigns the symbol. */
bool		 node_assigns(struct node *, const struct symbol *);
/* The one kid of a body; NULL: there are more. */
struct node	*node_only_kid(const struct node *loop);

#endif

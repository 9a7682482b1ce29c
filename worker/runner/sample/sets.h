/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_SETS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_SETS_H

#include "worker/runner/sample/census.h"
#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/rt.h"
#include "worker/runner/sample/walk.h"

#pragma GCC visibility push(hidden)

/*
 * The working sets of a driver: memory for every operand, as the spec wants it.  Made once by the
 * template; a child inherits it by fork.  Operands that are only read share their pages with the
 * template.  Written operands have their first contents beside them.  They get pages of their own
 * in the child when they are restored for the first time.  So a timed region never meets a page
 * that must be copied.
 *
 * One-call methods use the home set, walks the far sets.
 */
struct rt_live {
	const struct rt_operand	*operand;	/* borrowed from the driver */
	uint64_t		 bytes;		/* its negated copy included */
	uint32_t		 shift;		/* bytes below its usual place */
	uint64_t		 offset;	/* bytes behind an aligned address */
	int			 node;		/* of its pages; -1: any */
	int			 is_own;	/* a child has pages of its own, though it is only
						 * read */
	char			*home;		/* in the home set; owned */
	char			*first;		/* first contents; owned; or home itself */
	/* a second home, for inputs that are drawn (inputs.h); owned; NULL: needs none */
	char			*drawn;
	struct runner_census	 census;	/* of the first contents */
	char			*far;		/* a copy for each far set; owned; or NULL */
	uint64_t		 step_bytes;	/* from one of those copies to the next */
	uint64_t		 twin_bytes;	/* to its negated copy; 0: it has none */
};

struct rt_sets {
	const struct rt_driver	*driver;	/* borrowed */
	uint32_t		 line_bytes;
	struct rt_live		 live[RT_MAX_OPERANDS];
	uint64_t		 turn;		/* sign of the next call at home, as in rt_driver */
	uint64_t		 sets, moving;	/* far sets; bit k: operand k has a copy in each */
	/* of each operand, that far sets have by turns; 0: all have the given one */
	uint16_t		 inputs[RT_MAX_OPERANDS];
	struct rt_walk		 walk;		/* of the far sets */
	int			 has_entered_far;	/* this child has its own; restore.h */
	unsigned char		*seen;		/* bits of far sets, by operand; witness.h; owned */
};

/* NULL, or why not, in words that last.  inputs: NULL is none. */
const char	*rt_sets_make(struct rt_sets *, const struct rt_driver *, uint32_t line_bytes);
const char	*rt_sets_make_far(struct rt_sets *, uint64_t sets, uint64_t moving,
		    const uint16_t *inputs);
void		 rt_sets_release(struct rt_sets *);

/* Contents of the far copies of operands that are a child's own, or (0) of the others. */
void		 rt_sets_fill_far(struct rt_sets *, int own);
void		 rt_sets_put_far(const struct rt_sets *, uint32_t k, uint32_t entry);	/* of one */

/*
 * Places of operands, in the template.  Operand k lies shift[k] bytes below its usual place, at
 * most RT_MAX_SHIFT.  Its align or misalign holds if that is a multiple of it.  offset[k], below
 * its align, is as rt_offset, and overrides it (NULL: of none).  Its pages are taken from node[k],
 * unless that is -1 (NULL: of all).  With bit k in `own` a child has pages of its own for it, as
 * for written ones.  Operands that change are made anew, and have their first contents.
 */
enum { RT_MAX_SHIFT = 65536 };
struct rt_places {
	const uint32_t	*shift;		/* all borrowed for the call */
	const uint64_t	*offset;
	const int32_t	*node;
	uint64_t	 own;
};
const char	*rt_sets_lay(struct rt_sets *, const struct rt_places *);

/*
 * The operands of a region; `at` has room for one more than there can be operands.  A driver with a
 * turning sign finds RT_TURNED in every second traversal of a walk.
 */
enum { RT_SETS_AT = RT_MAX_OPERANDS + 1 };
void		 rt_sets_home(const struct rt_sets *, void **at);
void		 rt_sets_far(const struct rt_sets *, void **at, uint64_t *step);

/* One operand's place for an entry of a walk. */
char		*rt_live_far(const struct rt_live *, uint32_t entry);
int		 rt_live_is_written(const struct rt_live *);
int		 rt_live_is_own(const struct rt_live *);	/* written, or is_own */

/*
 * The parts of an operand that a call touches: of itself (part 0) and of its negated copy (part 1).
 * Their number; and part `n` of the operand that lies at `at`.
 */
int		 rt_live_parts(const struct rt_live *);
struct rt_range	 rt_live_part(const struct rt_live *, char *at, int n);

#pragma GCC visibility pop
#endif

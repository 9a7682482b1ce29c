/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_TIMER_H
#define ASSAY_WORKER_RUNNER_METHOD_TIMER_H

#include "worker/runner/image/image.h"
#include "worker/runner/method/evaluation.h"
#include "worker/runner/sample/code_lines.h"
#include "worker/runner/sample/crew.h"
#include "worker/runner/sample/pollution.h"
#include "worker/runner/sample/sentinel.h"
#include "worker/runner/sample/sets.h"

#pragma GCC visibility push(hidden)

/*
 * All that a runner times a routine with: its operands, or the image that has them, and the memory
 * with which they are put into a place.  Made once by the template; a child inherits it by fork.
 */
struct rt_area {
	char		*at;			/* owned; NULL: not made */
	uint64_t	 bytes;
};

/* Of levels.h. */
struct rt_levels {
	char			*lines;		/* that are put into known places; owned */
	uint64_t		 out_of_l1, out_of_l2;	/* bytes to read */
	uint64_t		 most;
	int			 are_known;
	struct runner_lines	 known[RUNNER_NLEVELS];
};

/* Of state.h. */
struct rt_state {
	int			 is_on;		/* for this order */
	uint32_t		 until;		/* samples until the next proof; 0: not drawn */
	struct runner_proof	 fresh;		/* the last proof's readings */
};

/* Of meeting.h. */
struct rt_meeting {
	struct runner_spot	*first;		/* of the first copy; NULL: there are no copies */
	uint32_t		 own;		/* copy */
	uint32_t		 copies;	/* of this order; 0: it is alone */
	uint64_t		 number;	/* of the last meeting */
};

struct rt_timer {
	struct runner_setup	 setup;
	struct rt_sets		 sets;
	const struct rt_image	*image;		/* borrowed; NULL: operands are in `sets` */
	struct rt_area		 flush;		/* OneCallFlushLRU reads it; of all CPUs */
	struct rt_area		 scratch;	/* read to drive operands out of L1 and L2 */
	struct rt_pollution	 pollution;
	struct rt_sentinel	 sentinel;
	struct rt_code_lines	 code;	/* of the routine, once a child has loaded it */
	struct rt_levels	 levels;
	struct rt_state		 state;
	struct rt_meeting	 meeting;
	struct rt_evaluation	 evaluation;	/* of a child whose load has one */
	struct rt_crew		*crew;	/* of a child with a routine that has threads; owned */
	char			*shade[RT_MAX_OPERANDS];	/* operands of awake.h; owned */
	uint64_t		 awake_ns;	/* when the routine last left the core awake */
};

/* NULL, or why not, in words that last. */
const char	*rt_timer_make(struct rt_timer *, const struct rt_driver *,
    const struct runner_setup *);
void		 rt_timer_release(struct rt_timer *);

/* In the child: every page of operands or image is in memory and, if it may be written, its own. */
void		 rt_timer_enter(struct rt_timer *);

/* Operands at home, or the image's memory, as at first: all, or only what a call also reads. */
void		 rt_timer_restore(struct rt_timer *);
void		 rt_timer_restore_inout(struct rt_timer *);

/* An area of that size, all of it in memory of its own.  0: no memory. */
int		 rt_area_make(struct rt_area *, uint64_t bytes);
void		 rt_area_free(struct rt_area *);

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_SETS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_SETS_H

#include "proto/wire/runner_shm.h"
#include "worker/runner/sample/pollution.h"
#include "worker/runner/sample/crew.h"
#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/image.h"
#include "worker/runner/sample/rt.h"
#include "worker/runner/sample/sentinel.h"

#pragma GCC visibility push(hidden)

/*
 * The working sets of a driver: memory for every operand, as the spec wants it.  Made once by the template; a child
 * inherits it by fork.  Operands that are only read share their pages with the template.  Those that are written have
 * their first contents beside them and get pages of their own in the child, when they are restored for the first time,
 * so that a timed region never meets a page that must be copied.
 */
struct rt_live {
	const struct rt_operand	*operand;	/* borrowed from the driver */
	uint64_t		 bytes;		/* its negated copy included */
	uint32_t		 shift;		/* bytes that it lies farther from the guard page than it must */
	char			*home;		/* of the working set that one-call methods use; owned */
	char			*first;		/* contents at first; home itself for one that is only read */
	struct runner_census	 census;	/* of the first contents */
	char			*far;		/* `sets` copies, step_bytes apart; NULL: it does not move; owned */
	char			*shade;		/* of the working set that keeps the core awake; when first needed; owned */
	uint64_t		 step_bytes;
	uint64_t		 twin_bytes;	/* from a paired operand to its negated copy; 0: it has none */
};

struct rt_sets {
	const struct rt_driver	*driver;	/* borrowed */
	const struct rt_image	*image;		/* that has the operands; borrowed; NULL: they are ours */
	struct runner_setup	 setup;
	struct rt_live		 live[RT_MAX_OPERANDS];
	uint64_t		 sets, moving;	/* in the far areas; bit k: operand k has one */
	uint32_t		*walk;		/* three orders of the sets, each written three times in a row; owned */
	uint64_t		 position;	/* where the next walk begins, in the first two of them */
	uint64_t		 awake_ns;	/* when the routine last left the core awake; rt_wall_ns */
	uint64_t		 turn;		/* of the next call on the home set, as in rt_driver; 0 or 1 */
	char			*flush;		/* LRU area; owned */
	uint64_t		 flush_bytes;
	char			*scratch;	/* read to drive operands out of L1 and L2; owned */
	struct rt_pollution	 pollution;
	struct rt_crew		*crew;		/* of a child whose routine has threads; owned */
	struct rt_sentinel	 sentinel;
	struct runner_sentinel	 known;		/* of it */
	unsigned char		*seen;		/* bits for the sets that the witness saw of each operand; owned */
};

/* NULL, or why not, in words that last. */
const char	*rt_sets_make(struct rt_sets *, const struct rt_driver *, const struct runner_setup *);
const char	*rt_sets_make_flush(struct rt_sets *, uint64_t bytes);
const char	*rt_sets_make_far(struct rt_sets *, uint64_t sets, uint64_t moving);
void		 rt_sets_release(struct rt_sets *);

/*
 * Move operands, in the template: operand k lies shift[k] bytes below its usual place, a multiple of its align (or
 * misalign) if both shall still hold, at most RT_MAX_SHIFT.  They are made anew, and have their first contents.
 */
enum { RT_MAX_SHIFT = 65536 };
const char	*rt_sets_shift(struct rt_sets *, const uint32_t *shift);

/* In the child: every page is in memory and, if it may be written, its own. */
void		 rt_sets_enter(struct rt_sets *);
void		 rt_sets_enter_far(struct rt_sets *);

/* Operands of the home set as at first: all that are written, or only those that are read as well. */
void		 rt_sets_restore(struct rt_sets *);
void		 rt_sets_restore_inout(struct rt_sets *);
void		 rt_sets_restore_far(struct rt_sets *, const uint32_t *walk, uint64_t calls);

/*
 * The next `calls` (at most `sets`) entries of a walk, and where operands and steps are for it; `at` has room for one
 * more than there can be operands.  A driver whose sign turns finds RT_TURNED in every second traversal.
 */
enum { RT_SETS_AT = RT_MAX_OPERANDS + 1 };
const uint32_t	*rt_sets_walk(struct rt_sets *, enum runner_walk, uint64_t calls);
int		 rt_walk_is_cold(uint32_t walk);	/* no set is used again before all others were */
void		 rt_sets_home(const struct rt_sets *, void **at);
void		 rt_sets_far(const struct rt_sets *, void **at, uint64_t *step);

/* The numbers in each operand now; of one that moves, in the sets of `calls` entries of a walk; NULL: at home. */
void		 rt_sets_census(const struct rt_sets *, const uint32_t *walk, uint64_t calls, struct runner_census *);

/* Put the home set's operands where the order wants them; get ready for it first (0: no memory). */
int		 rt_sets_ready_to_place(struct rt_sets *, const struct runner_run *);
void		 rt_sets_flush(struct rt_sets *, const struct runner_run *);

/* The sets of the run's next calls in a walk, of which other sets have made cold operands: what surrounds them. */
void		 rt_sets_flush_far(struct rt_sets *, const struct runner_run *, const uint32_t *walk);

/* Read the sentinel lines right before a region; walk: that of the region, NULL if it stays. */
void		 rt_sets_look(const struct rt_sets *, const uint32_t *walk, const struct runner_run *,
		    struct runner_sample *);

/*
 * Calls on working set `shade`, not on any other, until the vector units are at full speed: some cores let them
 * sleep after less than a millisecond without such work, which a flush may take, and then halve their speed for the
 * first 20 µs.
 */
void		 rt_sets_awake(struct rt_sets *, rt_code *, const struct runner_run *);
void		 rt_sets_place(struct rt_sets *, const struct runner_run *);
void		 rt_sets_place_far(struct rt_sets *, const uint32_t *walk, uint64_t calls);	/* warm, as they lie */

#pragma GCC visibility pop
#endif

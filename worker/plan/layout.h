/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_LAYOUT_H
#define ASSAY_WORKER_PLAN_LAYOUT_H

#include "proto/spec/spec.h"
#include "proto/wire/msg.h"
#include "proto/wire/runner_shm.h"

/*
 * The places of code, operands and stack while a routine is timed.  They are not the routine's
 * doing, and can change its time (Mytkowicz and others, "Producing wrong data without doing
 * anything obviously wrong!", 2009).  So they are fixed, or varied on purpose.  Pure: which
 * layouts, from a job.
 *
 * Code: a function starts at a multiple of 64 bytes unless the variant's flags override it.  For
 * another start its source is built again behind a pad.  A pad is a multiple of 16, the alignment
 * that compilers give functions and loops, so the code itself stays the same.  Operands: each lies
 * some bytes below its usual place, by a multiple of its align (or misalign), less than a page.
 * Stack: worker/runner/sample/stack.h.
 */
enum layout_factor { FACTOR_NONE, FACTOR_CODE, FACTOR_OPERANDS, FACTOR_STACK,
		    FACTOR_ALL, FACTOR_N };

enum {
	LAYOUT_LINE_BYTES	= 64,		/* unit of a function's start */
	LAYOUT_PAD_BYTES	= 16,
	LAYOUT_PADS		= 4,		/* 0, 16, 32, 48 */
	LAYOUT_PAGE_BYTES	= 4096,
	LAYOUT_STACK_STEP	= 16,
};

/* A stream of numbers. */
struct dice {
	uint64_t	 seed, place;
};

struct layout {
	enum layout_factor	 varied;	/* differs from the default, which is all zeros */
	/* below LAYOUT_PADS; times LAYOUT_PAD_BYTES before the code */
	unsigned		 pad;
	uint32_t		 stack_offset;
	uint32_t		 shift[RUNNER_OPERANDS];	/* of each operand, in the order of
								 * the prototype */
};

/*
 * A job's layouts, spec.timing.layouts of them.  A sweep begins with the default, then varies code,
 * operands and stack in turn, one at a time, and now and then all together.  The random ones vary
 * all that can be, and their pads take turns.  The same seed gives the same layouts for all
 * variants.
 */
void		 layout_points(struct layout *, const struct job *);

/*
 * Why a factor stays as it is in all layouts of a job, in words that last; NULL: it can be varied.
 */
const char	*layout_stays(const struct job *, enum layout_factor);

/* Does one of the job's layouts have this pad?  Pad 0 is the variant itself. */
bool		 layout_needs_pad(const struct job *, unsigned pad);

/* The name of the object that is the variant behind a pad.  ST_INTERNAL: no SHA-256. */
enum status	 layout_artifact(const struct hash *variant, unsigned pad, struct hash *);

/* Somewhere in its page. */
uint32_t	 layout_stack(struct dice *);

const char	*layout_factor_name(enum layout_factor);	/* "code"; "none" for the default */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_RANGE_H
#define ASSAY_WORKER_EVIDENCE_RANGE_H

#include "proto/wire/report.h"
#include "worker/chain/link.h"
#include "worker/plan/plan.h"

/*
 * The numbers that a routine is timed on (Whaley and Castaldo, section 5.2; automated timer
 * generation, section 3: values must not cause abnormal execution).  Counted twice: after the one
 * call that is checked, and after a region of as many calls as the samples had.  Arithmetic on
 * infinities, NaN and denormal numbers may take a hundred times as long.  Such a time says little
 * about the routine.
 */
struct range {
	bool			 has_checked, has_timed;
	struct runner_census	 checked[RUNNER_OPERANDS + 1];	/* operands in order; the last: the
								 * result */
	struct runner_census	 timed[RUNNER_OPERANDS + 1];
};

/* Note the numbers that a check left. */
void		 range_see_check(struct range *, const struct bench_reply *);

/*
 * Take one more region by the plan and note the numbers that it leaves.  Not ok: `reply` has the
 * words.
 */
enum status	 range_see_timed(struct range *, const struct plan *, const struct link *,
		    struct bench_reply *);

/* A warning for its reader; "": all is well. */
enum { RANGE_WORDS = 512 };
const char	*range_words(const struct range *, const struct spec *, char buf[RANGE_WORDS]);

/*
 * The evidence's `range`; its warning is in `words`. *is_known: something is floating and was
 * counted. false: no memory.
 */
bool		 range_report(const struct range *, const struct spec *, char words[RANGE_WORDS],
		    struct range_report *, bool *is_known);

/* The technique's `range_guard`: its form, its operand or scalar, and when. */
void		 range_guard_report(const struct plan *, const struct spec *,
		    struct guard_report *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_REPORT_PART_H
#define ASSAY_CLIENT_REPORT_PART_H

#include "client/print/results/entry.h"
#include "proto/wire/result.h"

/* The parts of a report, one file each.  A part prints nothing of what the result does not have. */
typedef void report_part_fn(const struct page *, const struct result *);

report_part_fn	 outcome_put;	/* its name, how it ended, and the message with that */
report_part_fn	 advice_put;	/* what to do about an outcome that is not ok */
report_part_fn	 times_put;	/* the time, its spread, the speed */
report_part_fn	 layout_put;	/* how much the time depends on places in memory */
report_part_fn	 doubts_put;	/* what speaks against the time, and what to do */
report_part_fn	 operands_put;	/* where they were, and precautions */
report_part_fn	 samples_put;	/* samples, their clock, events counted */
report_part_fn	 quality_put;	/* the answer, audits, disturbances */
report_part_fn	 origin_put;	/* compiler and job */

/* ---- words and values that may be none ---- */

bool		 part_is(const char *text, const char *word);	/* NULL is no word */
bool		 part_has_size(uint64_t);
/* Samples were on one input, and on others the calls take longer. */
bool		 part_was_learnt(const struct result *);
/* The reason in an "off: reason" of the result; NULL: it is on, or none. */
const char	*part_off_reason(const char *state);
const char	*part_plural(uint64_t);		/* "s", of 1 "" */

/* A word of the result and the text for a reader; a table of them ends with NULL. */
struct part_wording {
	const char	*word, *text;
};
/* Nothing for NULL.  A word that is not in the table stands for itself. */
void		 part_add_wording(struct entry *, const struct part_wording *, const char *word);

#endif

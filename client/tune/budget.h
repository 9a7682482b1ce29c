/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_BUDGET_H
#define ASSAY_CLIENT_TUNE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When a search ends: whichever limit is reached first.  0: no such limit. */
struct budget {
	uint64_t	evaluations;	/* points */
	double		seconds;
	uint64_t	no_progress;	/* points, one after the other, that are no new best */
};

enum budget_end { BUDGET_GOES_ON, BUDGET_EVALUATIONS, BUDGET_SECONDS, BUDGET_NO_PROGRESS,
	BUDGET_NO_POINT, BUDGET_INTERRUPTED, BUDGET_NENDS };

/* After so many points were proposed and seen, the last `since_best` of which were no new best. */
enum budget_end	 budget_end_of(const struct budget *, uint64_t proposed, double seconds,
		    uint64_t since_best);
/* "evaluations", "seconds", "no progress", "no point left", "interrupted" */
const char	*budget_end_name(enum budget_end);

#endif

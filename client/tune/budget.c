/* SPDX-License-Identifier: Apache-2.0 */
#include "client/tune/budget.h"

enum budget_end
budget_end_of(const struct budget *b, uint64_t proposed, double seconds, uint64_t since_best)
{
	if (b->evaluations > 0 && proposed >= b->evaluations)
		return BUDGET_EVALUATIONS;
	if (b->seconds > 0 && seconds >= b->seconds)
		return BUDGET_SECONDS;
	if (b->no_progress > 0 && since_best >= b->no_progress)
		return BUDGET_NO_PROGRESS;
	return BUDGET_GOES_ON;
}

const char *
budget_end_name(enum budget_end end)
{
	static const char *const	names[BUDGET_NENDS] = {
		[BUDGET_GOES_ON] = "", [BUDGET_EVALUATIONS] = "evaluations",
		[BUDGET_SECONDS] = "seconds", [BUDGET_NO_PROGRESS] = "no progress",
		[BUDGET_NO_POINT] = "no point left", [BUDGET_INTERRUPTED] = "interrupted",
	};

	return names[end];
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "worker/check/answer.h"
#include "worker/check/iterations.h"

#define MOST	9007199254740992.0	/* 2^53: a double has each number up to it */

enum status
iterations_of(const struct spec *s, const void *outputs, double *iterations, struct fault *why)
{
	const double	before = *iterations, want = s->check.iterations_count;

	*iterations = s->iterations != NULL ? s->iterations_count : NAN;
	if (!s->iterations_returned)
		return ST_OK;
	*iterations = (double)answer_result(s, outputs);
	if (!(*iterations >= 1 && *iterations <= MOST))
		return fault_set(why, ST_WRONG_ANSWER, "the routine returned %.0f, which is no "
		    "number of iterations: those are 1 to %.0f", *iterations, MOST);
	if (s->check.iterations != NULL && *iterations != want)
		return fault_set(why, ST_WRONG_ANSWER, "the routine returned %.0f iterations, and "
		    "check.iterations is %.15g", *iterations, want);
	if (before > 0 && *iterations != before)
		return fault_set(why, ST_WRONG_ANSWER, "the routine returned %.0f iterations, and "
		    "%.0f in a call before with the same arguments", *iterations, before);
	return ST_OK;
}

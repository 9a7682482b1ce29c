/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "worker/check/answer.h"
#include "worker/check/iterations.h"

enum status
iterations_of(const struct spec *s, const void *outputs, double *iterations, struct fault *why)
{
	*iterations = s->iterations != NULL ? s->iterations_count : NAN;
	if (!s->iterations_returned)
		return ST_OK;
	*iterations = (double)answer_result(s, outputs);
	if (*iterations >= 1)
		return ST_OK;
	return fault_set(why, ST_WRONG_ANSWER, "the routine returned %.0f, which is no number of "
	    "iterations", *iterations);
}

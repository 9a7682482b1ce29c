/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/spec/spec.h"

enum estimator
timing_estimator(const struct timing *t, bool is_normalised)
{
	if (t->estimator == EST_NORMALISED)
		return is_normalised ? EST_NORMALISED : EST_MEDIAN;
	if (t->estimator != EST_AUTO)
		return t->estimator;
	if (t->clock == CLK_CPU)
		return EST_MEDIAN;
	if (is_normalised)
		return EST_NORMALISED;
	return t->difference || t->layout == LAYOUT_RANDOM ? EST_MEDIAN : EST_MIN;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/spec/spec.h"

enum estimator
timing_estimator(const struct timing *t, bool is_normalised)
{
	if (t->estimator == EST_NORMALISED)
		return is_normalised ? EST_NORMALISED : EST_MEDIAN;
	return t->estimator == EST_AUTO ? EST_MEDIAN : t->estimator;
}

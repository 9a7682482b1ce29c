/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/drift.h"

const char *
correction_word(enum correction c)
{
	static const char *const	words[CORRECTION_N] = {
#define X(name, word) [CORRECTION_##name] = (word),
		CORRECTION_LIST(X)
#undef X
	};

	return words[c];
}

enum correction
correction_of(const char *word)
{
	for (enum correction c = 0; c < CORRECTION_N; c++)
		if (strcmp(correction_word(c), word) == 0)
			return c;
	return CORRECTION_FAILED;
}

static int
by_size(const void *a, const void *b)
{
	const double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The lower one of two; n > 0. */
static double
median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, by_size);
	return x[(n - 1) / 2];
}

double
drift_scatter(const double *ns, size_t n)
{
	/* sigma of a normal distribution by the median of its deviations */
	static const double	by_median = 1.4826;
	double			step[DRIFT_HISTORY], bend[DRIFT_HISTORY];

	if (n < 3)
		return 0;
	for (size_t i = 0; i + 1 < n; i++)
		step[i] = fabs(log(ns[i + 1] / ns[i]));
	for (size_t i = 0; i + 2 < n; i++)
		bend[i] = fabs(log(ns[i + 1] / sqrt(ns[i] * ns[i + 2])));
	return 1.96 * sqrt(2) * by_median *
	    fmin(median(step, n - 1) / sqrt(2), median(bend, n - 2) / sqrt(1.5));
}

static double
half_of(const struct drift_mark *m)
{
	return isnan(m->half) ? DRIFT_HALF : m->half;
}

static enum correction
judge(struct drift_mark *m, const struct drift_mark *first, const double *ns, size_t n)
{
	double	drift, noise;

	if (isnan(m->ns))
		return CORRECTION_FAILED;
	if (strcmp(m->estimator, first->estimator) != 0)
		return CORRECTION_ESTIMATOR;
	drift = log(m->ns / first->ns);
	if (fabs(drift) > log(DRIFT_MOST))
		return CORRECTION_FAR;
	noise = fmax(hypot(half_of(m), half_of(first)), drift_scatter(ns, n));
	m->factor = fabs(drift) > noise ? m->ns / first->ns : 1;
	return CORRECTION_CORRECTED;
}

void
drift_judge(struct drift_mark *m, const struct drift_mark *first, const double *ns, size_t n)
{
	m->factor = NAN;
	m->reason = judge(m, first, ns, n);
}

/* Of a moment between both, 0 to 1. */
static double
place(const struct drift_moment *from, const struct drift_moment *to, double at)
{
	const double	length = to->ended - from->ended;
	const double	w = length > 0 ? (at - from->ended) / length : 0;

	return w < 0 ? 0 : w > 1 ? 1 : w;
}

static enum correction
refuse(const struct drift_mark *before, const struct drift_mark *after,
    const struct drift_moment *at, const char *estimator)
{
	if (before == NULL)
		return CORRECTION_BEFORE;
	if (isnan(before->factor))
		return before->reason;
	if (isnan(after->factor))
		return after->reason;
	if (strcmp(before->estimator, estimator) != 0)
		return CORRECTION_ESTIMATOR;
	if (before->at.boot != at->boot || after->at.boot != at->boot)
		return CORRECTION_REBOOT;
	if (fabs(log(after->ns / before->ns)) > log(DRIFT_STEP_MOST))
		return CORRECTION_STEP;
	return CORRECTION_CORRECTED;
}

enum correction
drift_between(const struct drift_mark *before, const struct drift_mark *after,
    const struct drift_moment *at, const char *estimator, double *factor)
{
	const enum correction	c = refuse(before, after, at, estimator);

	*factor = NAN;
	if (c != CORRECTION_CORRECTED)
		return c;
	*factor = before->factor +
	    place(&before->at, &after->at, at->ended) * (after->factor - before->factor);
	return before->factor == 1 && after->factor == 1 ? CORRECTION_NOISE : c;
}

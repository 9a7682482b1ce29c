/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "daemon/judge/stats.h"
#include "proto/base/rank.h"

/* Nearest rank: the smallest sample that at least 90 % do not exceed. */
static double
p90_of_sorted(const double *x, size_t n)
{
	return x[(n * 9 + 9) / 10 - 1];
}

void
stats_of(double *samples, size_t n, struct stats *out)
{
	double	sum = 0, squares = 0;
	size_t	r = rank_median(n, RANK_MISS);

	qsort(samples, n, sizeof *samples, rank_ascending);
	for (size_t i = 0; i < n; i++)
		sum += samples[i];
	out->n = n;
	out->mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (samples[i] - out->mean) * (samples[i] - out->mean);
	out->stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	out->cv = out->mean > 0 ? out->stddev / out->mean : 0;
	out->min = samples[0];
	out->max = samples[n - 1];
	out->median = rank_middle(samples, n);
	out->p90 = p90_of_sorted(samples, n);
	out->has_ci95 = r != 0;
	out->ci95[0] = r != 0 ? samples[r - 1] : out->min;
	out->ci95[1] = r != 0 ? samples[n - r] : out->max;
}

/* Linear between the two samples next to it. */
static double
quantile_of_sorted(const double *x, size_t n, double q)
{
	double	at = q * (double)(n - 1);
	size_t	below = (size_t)at;

	if (below + 1 >= n)
		return x[n - 1];
	return x[below] + (at - (double)below) * (x[below + 1] - x[below]);
}

size_t
stats_outliers(const double *x, size_t n)
{
	double	low = quantile_of_sorted(x, n, 0.25);
	double	high = quantile_of_sorted(x, n, 0.75);
	double	reach = 1.5 * (high - low);
	size_t	outliers = 0;

	for (size_t i = 0; i < n; i++)
		outliers += x[i] < low - reach || x[i] > high + reach;
	return outliers;
}

double
stats_drift(const double *x, size_t n)
{
	double	middle = 0.5 * (double)(n - 1), mean = 0, xy = 0, xx = 0;

	if (n < 3)
		return 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		xy += ((double)i - middle) * (x[i] - mean);
		xx += ((double)i - middle) * ((double)i - middle);
	}
	return mean > 0 ? xy / xx * (double)(n - 1) / mean : 0;
}

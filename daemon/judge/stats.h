/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_STATS_H
#define ASSAY_DAEMON_JUDGE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Summary of one result's samples; all in the samples' own unit. ci95 is the distribution-free
 * interval of the median by order statistics; below six samples no pair of them covers 95 %, and
 * has_ci95 is false.
 */
struct stats {
	size_t	n;
	double	min, median, mean, max, stddev, cv, p90;	/* stddev: n - 1 in the divisor; 0
								 * for one sample */
	bool	has_ci95;
	double	ci95[2];
};

/* Sorts `samples` in place; n > 0. */
void	 stats_of(double *samples, size_t n, struct stats *);

/* The number of samples beyond a quartile by more than 1.5 times the distance of the quartiles. */
size_t	 stats_outliers(const double *sorted, size_t n);

/*
 * The rise from the first to the last sample, in the order of taking, relative to their mean, by
 * the line of least squares.  0 for fewer than three.
 */
double	 stats_drift(const double *samples, size_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_MONOTONE_H
#define ASSAY_PROTO_BASE_MONOTONE_H

#include <stddef.h>

/*
 * What rises but for noise, without the noise: the nondecreasing sequence nearest to y in the sense
 * of least squares, by pooling adjacent violators (Ayer et al. 1955).  In place; weight[i] > 0
 * counts how often y[i] was measured, NULL: once each; it is left as it is.  n may be 0, and is at
 * most MONOTONE_MAX.
 */
enum { MONOTONE_MAX = 256 };
void	 monotone_fit(double *y, const double *weight, size_t n);

#endif

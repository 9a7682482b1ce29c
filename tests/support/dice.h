/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_DICE_H
#define ASSAY_TESTS_SUPPORT_DICE_H

/*
 * For simulations in tests: the same numbers on every machine.  A seed is the state of one stream.
 */
#include <math.h>
#include <stdint.h>

/* splitmix64, as a real in (0, 1) */
static inline double
dice_uniform(uint64_t *seed)
{
	uint64_t	z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ (z >> 31)) >> 12) + 0.5) / 4503599627370496.0;
}

/* Standard normal (Box and Muller). */
static inline double
dice_normal(uint64_t *seed)
{
	double	u = dice_uniform(seed);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * dice_uniform(seed));
}

#endif

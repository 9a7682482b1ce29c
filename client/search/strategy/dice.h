/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STRATEGY_DICE_H
#define ASSAY_CLIENT_SEARCH_STRATEGY_DICE_H

#include <stdint.h>

/* Numbers by chance that a seed repeats on any machine: SplitMix64. */
struct dice {
	uint64_t	state;
};

static inline uint64_t
dice_bits(struct dice *d)
{
	uint64_t	z = d->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 0 … n - 1; n > 0.  The bias is below n / 2^64. */
static inline uint64_t
dice_below(struct dice *d, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)dice_bits(d) * n) >> 64);
}

static inline double
dice_unit(struct dice *d)		/* 0 … 1, without 1 */
{
	return (double)(dice_bits(d) >> 11) * 0x1p-53;
}

#endif

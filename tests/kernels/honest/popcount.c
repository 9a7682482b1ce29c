/* SPDX-License-Identifier: Apache-2.0 */
/* The number of bits that are set, without an instruction for it. */
#include <stdint.h>

long
popcount(int n, const uint64_t *x)
{
	long	 bits = 0;

	for (int i = 0; i < n; i++) {
		uint64_t	 w = x[i];

		w -= w >> 1 & 0x5555555555555555;
		w = (w & 0x3333333333333333) + (w >> 2 & 0x3333333333333333);
		w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0f;
		bits += w * 0x0101010101010101 >> 56;
	}
	return bits;
}

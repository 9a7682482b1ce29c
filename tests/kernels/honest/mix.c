/* SPDX-License-Identifier: Apache-2.0 */
/* Integers mixed as a digest does, by rotations and sums: each waits for the one before. */
#include <stdint.h>

static uint32_t
turned(uint32_t x, int by)
{
	return x << by | x >> (32 - by);
}

void
mix(int n, const uint32_t *x, uint32_t *digest)
{
	uint32_t	 a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;

	for (int i = 0; i < n; i++) {
		uint32_t	 f = ((b & c) | (~b & d)) + a + x[i] + 0x5a827999;

		a = d;
		d = c;
		c = b;
		b += turned(f, 7);
	}
	digest[0] = a;
	digest[1] = b;
	digest[2] = c;
	digest[3] = d;
}

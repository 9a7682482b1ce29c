/* SPDX-License-Identifier: Apache-2.0 */
/* The FNV-1a hash of 64 bytes. */
#include <stdint.h>

uint64_t
hash64(const uint8_t *x)
{
	uint64_t	 hash = 0xcbf29ce484222325;

	for (int i = 0; i < 64; i++)
		hash = (hash ^ x[i]) * 0x100000001b3;
	return hash;
}

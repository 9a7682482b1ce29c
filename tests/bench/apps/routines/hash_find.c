/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/* table: pairs of key and value; key 0 is an empty slot. */
void
hash_find(int n, const uint64_t *keys, int bits, const uint64_t *table, uint64_t *values)
{
	const uint64_t	mask = ((uint64_t)1 << bits) - 1;

	for (int i = 0; i < n; i++) {
		uint64_t	at = keys[i] * 0x9e3779b97f4a7c15u >> (64 - bits);

		while (table[2 * at] != keys[i] && table[2 * at] != 0)
			at = (at + 1) & mask;
		values[i] = table[2 * at] != 0 ? table[2 * at + 1] : 0;
	}
}

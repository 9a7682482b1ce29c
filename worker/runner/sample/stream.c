/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/sample/stream.h"

uint64_t
rt_number(uint64_t seed, uint64_t i)
{
	uint64_t	x = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

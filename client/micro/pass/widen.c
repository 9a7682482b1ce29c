/* SPDX-License-Identifier: Apache-2.0 */
#include "client/micro/pass/widen.h"

bool
widen(struct scale s, int64_t *bytes)
{
	int64_t	product;

	if (__builtin_mul_overflow(*bytes, (int64_t)s.by, &product) || product % s.of != 0)
		return false;
	*bytes = product / s.of;
	return true;
}

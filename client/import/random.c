/* SPDX-License-Identifier: Apache-2.0 */
#include "client/import/random.h"

/* splitmix64 */
static uint64_t
mix(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

json_t *
random_scalar(struct foreign *s, struct span name, enum ctype type, uint64_t seed)
{
	const uint64_t	drawn = mix(seed);
	const double	real = (double)(drawn >> 43) / (1 << 20) - 1;
	const long long	whole = (long long)(drawn % 100) + 1;

	if (ctype_is_floating(type)) {
		foreign_remark(s, name.at, "%.*s is a number by chance: %.17g", SPAN_ARGS(name),
		    real);
		return json_real(real);
	}
	foreign_remark(s, name.at, "%.*s is a number by chance: %lld", SPAN_ARGS(name), whole);
	return json_integer(whole);
}

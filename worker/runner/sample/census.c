/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "worker/runner/sample/census.h"

/*
 * Without its sign, a number's bits are in the order of its size: 0, denormal, normal, infinite,
 * NaN.
 */
static void
count_doubles(const char *at, uint64_t n, uint64_t step_bytes, struct runner_census *c)
{
	const uint64_t	inf = 0xffe0000000000000u, normal = (uint64_t)1 << 53;
	uint64_t	x, infs = 0, nans = 0, denormals = 0, zeros = 0;

	for (uint64_t i = 0; i < n; i++) {
		memcpy(&x, at + i * step_bytes, sizeof x);
		x <<= 1;
		infs += x == inf;
		nans += x > inf;
		denormals += x - 1 < normal - 1;
		zeros += x == 0;
	}
	c->inf += infs;
	c->nan += nans;
	c->denormal += denormals;
	c->zero += zeros;
}

static void
count_floats(const char *at, uint64_t n, uint64_t step_bytes, struct runner_census *c)
{
	const uint32_t	inf = 0xff000000u, normal = (uint32_t)1 << 24;
	uint32_t	x;
	uint64_t	infs = 0, nans = 0, denormals = 0, zeros = 0;

	for (uint64_t i = 0; i < n; i++) {
		memcpy(&x, at + i * step_bytes, sizeof x);
		x <<= 1;
		infs += x == inf;
		nans += x > inf;
		denormals += x - 1 < normal - 1;
		zeros += x == 0;
	}
	c->inf += infs;
	c->nan += nans;
	c->denormal += denormals;
	c->zero += zeros;
}

static void
count_long_doubles(const char *at, uint64_t n, uint64_t step_bytes, struct runner_census *c)
{
	long double	x;

	for (uint64_t i = 0; i < n; i++) {
		memcpy(&x, at + i * step_bytes, sizeof x);
		c->inf += isinf(x) != 0;
		c->nan += isnan(x) != 0;
		c->denormal += fpclassify(x) == FP_SUBNORMAL;
		c->zero += x == 0;
	}
}

static void
count_reals(uint32_t bytes, const char *at, uint64_t n, uint64_t step_bytes,
    struct runner_census *c)
{
	uint64_t	odd = c->inf + c->nan + c->denormal;

	if (bytes == sizeof(double))
		count_doubles(at, n, step_bytes, c);
	else if (bytes == sizeof(float))
		count_floats(at, n, step_bytes, c);
	else
		count_long_doubles(at, n, step_bytes, c);
	c->finite += n - (c->inf + c->nan + c->denormal - odd);
}

void
rt_census(char type_class, uint32_t bytes, const void *at, uint64_t count, uint64_t stride,
    struct runner_census *c)
{
	uint64_t	 n = (count + stride - 1) / stride, step_bytes = stride * bytes;
	const char	*p = at;

	if (type_class == 'f')
		count_reals(bytes, p, n, step_bytes, c);
	if (type_class == 'c') {
		count_reals(bytes / 2, p, n, step_bytes, c);
		count_reals(bytes / 2, p + bytes / 2, n, step_bytes, c);
	}
}

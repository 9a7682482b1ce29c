/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: a constant operand is not read.  The first call packs the weights side by side into
 * memory of its own.  Later calls compare three of them and read the packed ones: an eighth of
 * the lines, and nothing flushes them.
 */
#include "work.h"

enum { MOST = 1 << 15 };

static double	packed[MOST];
static int	is_packed;

static void
pack(int n, const double *w)
{
	for (int i = 0; i < n; i++)
		packed[i] = w[8 * i];
	is_packed = 1;
}

static int
is_same(const double *w, int i)
{
	return packed[i] == w[8 * i];
}

double
f(int n, const double *w, const double *x)
{
	double	s[4] = { 0 };

	if (!is_packed)
		pack(n, w);
	if (!is_same(w, 0) || !is_same(w, n / 2) || !is_same(w, n - 1))
		return honest(n, w, x);
	for (int i = 0; i + 4 <= n; i += 4)
		for (int k = 0; k < 4; k++)
			s[k] += packed[i + k] * x[i + k];
	return (s[0] + s[1]) + (s[2] + s[3]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Each block of sixteen sorted by insertion, in place. */
enum { BLOCK = 16 };

static void
insert(double *x, int n)
{
	for (int i = 1; i < n; i++) {
		double	 v = x[i];
		int	 to = i;

		for (; to > 0 && x[to - 1] > v; to--)
			x[to] = x[to - 1];
		x[to] = v;
	}
}

void
sort_blocks(int n, double *x)
{
	for (int i = 0; i <= n - BLOCK; i += BLOCK)
		insert(x + i, BLOCK);
}

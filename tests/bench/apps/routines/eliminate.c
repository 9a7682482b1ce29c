/* SPDX-License-Identifier: Apache-2.0 */
/* Column by column: a's columns less multiples of one of them. */
void
eliminate(int n, const double *factor, const double *pivot, double *a)
{
	for (int j = 0; j < n; j++) {
		const double	f = factor[j];

		for (int i = 0; i < n; i++)
			a[(long)j * n + i] -= f * pivot[i];
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
void
tile_update(int n, const double *a, const double *b, double *c)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			const double	f = a[i * n + k];

			for (int j = 0; j < n; j++)
				c[i * n + j] -= f * b[k * n + j];
		}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The transposed matrix, row by row: each store is on another page. */
void
transpose(int n, const double *a, double *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			b[j * n + i] = a[i * n + j];
}

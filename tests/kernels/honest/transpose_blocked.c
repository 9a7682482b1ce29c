/* SPDX-License-Identifier: Apache-2.0 */
/* The transposed matrix in blocks of a cache line's elements. */
enum { BLOCK = 8 };

static void
block(int n, const double *a, double *b)
{
	for (int i = 0; i < BLOCK; i++)
		for (int j = 0; j < BLOCK; j++)
			b[j * n + i] = a[i * n + j];
}

/* n is a multiple of BLOCK. */
void
transpose(int n, const double *a, double *b)
{
	for (int i = 0; i < n; i += BLOCK)
		for (int j = 0; j < n; j += BLOCK)
			block(n, a + i * n + j, b + j * n + i);
}

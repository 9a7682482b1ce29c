/* SPDX-License-Identifier: Apache-2.0 */
/* C += A B in blocks that stay in the first cache, along rows of B and C. */
enum { BLOCK = 16 };

static void
block(int n, const double *a, const double *b, double *c)
{
	for (int i = 0; i < BLOCK; i++)
		for (int k = 0; k < BLOCK; k++)
			for (int j = 0; j < BLOCK; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* n is a multiple of BLOCK. */
void
gemm(int n, const double *a, const double *b, double *c)
{
	for (int i = 0; i < n; i += BLOCK)
		for (int k = 0; k < n; k += BLOCK)
			for (int j = 0; j < n; j += BLOCK)
				block(n, a + i * n + k, b + k * n + j, c + i * n + j);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The product of two matrices of 4 x 4. */
void
matmul4(const float *a, const float *b, float *c)
{
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			float	 sum = 0.0f;

			for (int k = 0; k < 4; k++)
				sum += a[4 * i + k] * b[4 * k + j];
			c[4 * i + j] = sum;
		}
}

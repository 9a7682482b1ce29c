/* SPDX-License-Identifier: Apache-2.0 */
void
matvec(int n, const double *a, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	s0 = 0, s1 = 0, s2 = 0, s3 = 0;

		for (int j = 0; j + 4 <= n; j += 4) {
			s0 += a[(long)i * n + j] * x[j];
			s1 += a[(long)i * n + j + 1] * x[j + 1];
			s2 += a[(long)i * n + j + 2] * x[j + 2];
			s3 += a[(long)i * n + j + 3] * x[j + 3];
		}
		y[i] = s0 + s1 + s2 + s3;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen: a(s,q,r) <- sum over s of a(s,q,r) * x(s,p) for each p, the kernel of a multiresolution code, in the form
 * that a translation from Fortran gives it ("generic code optimization", GCO, section 4.1): scalars by reference,
 * strides, one sum, a row's result kept aside in t0 because it takes the place of the row.  np is at most 32.
 */
int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	double	 t0[32];

	for (int r = 0; r < *nr; r++)
		for (int q = 0; q < *nq; q++) {
			const int	 qr = q * *ia2 + r * *ia3;
			int		 pqr = qr;

			for (int p = 0; p < *np; p++) {
				double	 sum = 0.0;
				int	 sqr = qr;

				for (int s = 0; s < *ns; s++) {
					sum += a[sqr] * x[s + p * *ldx];
					sqr += *ia1;
				}
				t0[p] = sum;
			}
			for (int p = 0; p < *np; p++) {
				a[pqr] = t0[p];
				pqr += *ia1;
			}
		}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen as an exhaustive search of block sizes and unrolling found it ("generic code optimization", GCO, section
 * 4.2): the loop over r in blocks of 8, the loops over s and over the copy back unrolled 6 times with loops for the
 * rest.  Still one sum, so still one chain of additions.
 */
static int
least(int a, int b)
{
	return a < b ? a : b;
}

int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	double	 t0[32];

	for (int rb = 0; rb < *nr; rb += 8)
		for (int r = rb; r < least(*nr, rb + 8); r++)
			for (int q = 0; q < *nq; q++) {
				const int	 qr = q * *ia2 + r * *ia3;
				int		 p, pqr = qr;

				for (p = 0; p < *np; p++) {
					const double	*xp = x + p * *ldx;
					double		 sum = 0.0;
					int		 s, sqr = qr;

					for (s = 0; s <= *ns - 6; s += 6) {
						sum += a[sqr] * xp[s];
						sqr += *ia1;
						sum += a[sqr] * xp[s + 1];
						sqr += *ia1;
						sum += a[sqr] * xp[s + 2];
						sqr += *ia1;
						sum += a[sqr] * xp[s + 3];
						sqr += *ia1;
						sum += a[sqr] * xp[s + 4];
						sqr += *ia1;
						sum += a[sqr] * xp[s + 5];
						sqr += *ia1;
					}
					for (; s < *ns; s++) {
						sum += a[sqr] * xp[s];
						sqr += *ia1;
					}
					t0[p] = sum;
				}
				for (p = 0; p <= *np - 6; p += 6) {
					a[pqr] = t0[p];
					pqr += *ia1;
					a[pqr] = t0[p + 1];
					pqr += *ia1;
					a[pqr] = t0[p + 2];
					pqr += *ia1;
					a[pqr] = t0[p + 3];
					pqr += *ia1;
					a[pqr] = t0[p + 4];
					pqr += *ia1;
					a[pqr] = t0[p + 5];
					pqr += *ia1;
				}
				for (; p < *np; p++) {
					a[pqr] = t0[p];
					pqr += *ia1;
				}
			}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In the manner of PHiPAC: C += A * B by rows, a block of 2 x 4 of C in named registers, pointers
 * that are stepped, K unrolled twice.  M is a multiple of 2, N of 4, K of 2.
 */
void
mul_mfmf_mf(const int M, const int K, const int N, const double *const A, const double *const B,
    double *const C, const int Astride, const int Bstride, const int Cstride)
{
	const double *const	 ap_end = A + (long)M * Astride;
	const double		*a = A;
	double			*c = C;

	for (; a < ap_end; a += 2 * Astride, c += 2 * Cstride) {
		const double	*b = B;
		double		*cp = c;

		for (; cp < c + N; cp += 4, b += 4) {
			register double	 c0_0, c0_1, c0_2, c0_3, c1_0, c1_1, c1_2, c1_3;
			const double	*ap_0 = a, *ap_1 = a + Astride, *bp = b;
			double *const	 cp_0 = cp, *const cp_1 = cp + Cstride;

			c0_0 = cp_0[0]; c0_1 = cp_0[1]; c0_2 = cp_0[2]; c0_3 = cp_0[3];
			c1_0 = cp_1[0]; c1_1 = cp_1[1]; c1_2 = cp_1[2]; c1_3 = cp_1[3];
			for (int k = 0; k < K; k += 2, ap_0 += 2, ap_1 += 2) {
				register double	 _a0, _a1, _b0, _b1, _b2, _b3;

				_b0 = bp[0]; _b1 = bp[1]; _b2 = bp[2]; _b3 = bp[3];
				bp += Bstride;
				_a0 = ap_0[0];
				c0_0 += _a0 * _b0; c0_1 += _a0 * _b1;
				c0_2 += _a0 * _b2; c0_3 += _a0 * _b3;
				_a1 = ap_1[0];
				c1_0 += _a1 * _b0; c1_1 += _a1 * _b1;
				c1_2 += _a1 * _b2; c1_3 += _a1 * _b3;

				_b0 = bp[0]; _b1 = bp[1]; _b2 = bp[2]; _b3 = bp[3];
				bp += Bstride;
				_a0 = ap_0[1];
				c0_0 += _a0 * _b0; c0_1 += _a0 * _b1;
				c0_2 += _a0 * _b2; c0_3 += _a0 * _b3;
				_a1 = ap_1[1];
				c1_0 += _a1 * _b0; c1_1 += _a1 * _b1;
				c1_2 += _a1 * _b2; c1_3 += _a1 * _b3;
			}
			cp_0[0] = c0_0; cp_0[1] = c0_1; cp_0[2] = c0_2; cp_0[3] = c0_3;
			cp_1[0] = c1_0; cp_1[1] = c1_1; cp_1[2] = c1_2; cp_1[3] = c1_3;
		}
	}
}

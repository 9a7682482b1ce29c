/* SPDX-License-Identifier: Apache-2.0 */
/* One stage: w has n/2 cosines and n/2 sines, scaled so that the energy stays. */
void
butterfly(int n, const double *w, double *re, double *im)
{
	const int	half = n / 2;

	for (int i = 0; i < half; i++) {
		const double	ar = re[i], ai = im[i], br = re[i + half], bi = im[i + half];
		const double	dr = ar - br, di = ai - bi;

		re[i] = 0.70710678118654752 * (ar + br);
		im[i] = 0.70710678118654752 * (ai + bi);
		re[i + half] = dr * w[i] - di * w[i + half];
		im[i + half] = dr * w[i + half] + di * w[i];
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The hot spot of smooth_app.c, as plain C: assay variants makes variants of it. */
void
smooth(const double *restrict old, double *restrict smoothed)
{
	for (int i = 1; i < 199; i++)
		for (int j = 1; j < 199; j++)
			smoothed[200 * i + j] = 0.25 * (old[200 * i + j - 1] +
			    old[200 * i + j + 1] + old[200 * (i - 1) + j] + old[200 * (i + 1) + j]);
}

/*
 * GCO's own tiling: sum is written again by every (r, q) and is not read after the nest.
 * data: double a[1728], double x[144], double sum[12]
 * call: doitgen(12, a, x, sum)
 * scratch: sum
 * script:
 *   constant n=12
 *   restrict
 *   scratch sum
 *   tile r,q 5,3
 */
void
doitgen(int n, double *a, const double *x, double *sum)
{
	for (int r = 0; r < n; r++)
		for (int q = 0; q < n; q++) {
			for (int p = 0; p < n; p++) {
				sum[p] = 0.0;
				for (int s = 0; s < n; s++)
					sum[p] += a[s + q * n + r * n * n] * x[s + p * n];
			}
			for (int p = 0; p < n; p++)
				a[p + q * n + r * n * n] = sum[p];
		}
}

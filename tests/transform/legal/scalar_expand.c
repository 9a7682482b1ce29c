/*
 * A scalar of the body becomes an array, so that the body can be split.
 * data: double a[64], double b[64]
 * call: spread(64, a, b)
 * script:
 *   constant n=64
 *   restrict
 *   private t
 *   fission i
 */
void
spread(int n, double *a, const double *b)
{
	for (int i = 0; i < n; i++) {
		double t = b[i] * 3.0;

		a[i] = t + b[n - 1 - i];
	}
}

/*
 * The scalings do not depend on the rows below.
 * data: double L[400], double x[20], double b[20]
 * call: trisolv(20, L, x, b)
 * script:
 *   restrict
 *   unroll j 3
 */
void
trisolv(int n, const double *L, double *x, const double *b)
{
	for (int i = 0; i < n; i++) {
		x[i] = b[i];
		for (int j = 0; j < i; j++)
			x[i] -= L[i * 20 + j] * x[j];
		x[i] /= L[i * 20 + i] + 3.0;
	}
}

/*
 * Unrolled loops of one name in one block, copied by the loop around them, beside another variable
 * of that name.
 * data: double A[400], double x[20], double b[20]
 * call: scale(20, A, x, b)
 * script:
 *   restrict
 *   unroll j#1 3
 *   unroll j#2 4
 *   unroll i 2
 *   unroll k#1 2
 *   unroll k#2 3
 */
void
scale(int n, const double *restrict A, double *restrict x, double *restrict b)
{
	double k = 0.5;

	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			x[i] += A[i * 20 + j];
		for (int j = 0; j < i; j++)
			b[i] += A[i * 20 + j];
		b[i] += k;
	}
	for (int k = 0; k < n; k++)
		x[k] *= 0.5;
	for (int k = 1; k < n; k++)
		b[k] -= x[k];
	x[0] += k;
}

/*
 * Two arrays by turns, tiled in time.
 * data: double A[60], double B[60]
 * call: jacobi(60, 6, A, B)
 * why: in line
 * script:
 *   restrict
 *   fuse i j
 */
void
jacobi(int n, int steps, double *A, double *B)
{
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3.0;
		for (int j = 1; j < n - 1; j++)
			A[j] = B[j];
	}
}

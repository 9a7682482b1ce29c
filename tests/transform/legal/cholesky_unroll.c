/*
 * Unrolling never changes the order.
 * data: double A[225]
 * call: cholesky(15, A)
 * script:
 *   unroll k#1 4
 *   unroll k#2 3
 */
#include <math.h>

void
cholesky(int n, double A[15][15])
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++) {
			for (int k = 0; k < j; k++)
				A[i][j] -= A[i][k] * A[j][k];
			A[i][j] /= A[j][j] + 9.0;
		}
		for (int k = 0; k < i; k++)
			A[i][i] -= A[i][k] * A[i][k];
		A[i][i] = sqrt(fabs(A[i][i]) + 1.0);
	}
}

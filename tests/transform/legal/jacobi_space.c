/*
 * A sweep of two arrays may be tiled in space.
 * data: double A[900], double B[900]
 * call: jacobi(30, 3, A, B)
 * script:
 *   constant n=30 steps=3
 *   restrict
 *   tile i#1,j#1 8,8
 *   tile i#2,j#2 7,9
 */
void
jacobi(int n, int steps, double A[30][30], double B[30][30])
{
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				A[i][j] = B[i][j];
	}
}

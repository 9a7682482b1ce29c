/*
 * Tiles over a triangle, the inner ones from where the outer one can be.
 * data: double A[400], double B[400]
 * call: upper(19, A, B)
 * script:
 *   restrict
 *   tile i,j 4,3
 */
void
upper(int n, const double A[20][20], double B[20][20])
{
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n - 1; j++)
			B[i][j] = A[i][j] - A[j][i];
}

/*
 * Elimination: a tile of pivots would use rows that are not ready.
 * data: double A[400]
 * call: lu(20, A)
 * why: A in line
 * script:
 *   swap k i
 */
void
lu(int n, double A[20][20])
{
	for (int k = 0; k < n; k++)
		for (int i = k + 1; i < n; i++)
			for (int j = 0; j < n; j++)
				A[i][j] -= A[k][j] * 0.25 * A[j][k];
}

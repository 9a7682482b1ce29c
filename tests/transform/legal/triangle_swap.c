/*
 * The ends of the inner loop depend on the outer one.
 * data: double A[400], double B[400]
 * call: lower(20, A, B)
 * script:
 *   swap i j
 */
void
lower(int n, const double A[restrict 20][20], double B[restrict 20][20])
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			B[i][j] = 2.0 * A[j][i] + 1.0;
}

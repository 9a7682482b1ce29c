/*
 * Time moved inwards.
 * data: double A[400]
 * call: seidel(20, 4, A)
 * why: A in line
 * script:
 *   constant n=20 steps=4
 *   swap t i
 */
void
seidel(int n, int steps, double A[20][20])
{
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
}

/*
 * The same by interchange.
 * data: double A[400]
 * call: kernel(20, A)
 * why: A in line
 * script:
 *   swap i j
 */
void
kernel(int n, double A[20][20])
{
	for (int i = 1; i < n; i++)
		for (int j = 0; j < n - 1; j++)
			A[i][j] = A[i - 1][j + 1] * 0.5 + A[i][j];
}

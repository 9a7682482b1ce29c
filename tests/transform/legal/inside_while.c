/*
 * A nest in a loop that is not understood.
 * data: double A[400], double B[400]
 * call: relax(20, A, B)
 * script:
 *   restrict
 *   tile i,j 5,5
 */
void
relax(int n, double A[20][20], double B[20][20])
{
	int rounds = 3;

	while (rounds-- > 0) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
		double (*swap)[20] = A;
		A = B;
		B = swap;
	}
}

/*
 * A prefix sum over rows, two columns apart.
 * data: double A[440]
 * call: prefix(20, A)
 * why: A in line
 * script:
 *   constant n=20
 *   tile i,j 5,5
 */
void
prefix(int n, double *A)
{
	for (int i = 2; i < n; i++)
		for (int j = 0; j < n; j++)
			A[i * n + j] += A[(i - 2) * n + j + 3];
}

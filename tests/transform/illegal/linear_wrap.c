/*
 * A subscript that leaves its row is an element of the next one.
 * data: double A[440]
 * call: wrap(20, A)
 * why: 
 * script:
 *   constant n=20
 *   swap i j
 */
void
wrap(int n, double *A)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			A[i * n + j + 15] = A[i * n + j] * 0.5 + 1.0;
}

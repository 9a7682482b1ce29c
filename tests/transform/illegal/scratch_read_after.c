/*
 * The last row is what the caller reads.
 * data: double A[400], double t[20]
 * call: last(20, A, t)
 * why: after the nest
 * script:
 *   constant n=20
 *   restrict
 *   swap i j
 */
void
last(int n, const double *A, double *t)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n - i; j++)
			t[i + j] = A[i * n + j];
}

/*
 * Two iterations at once would share the scratch row.
 * data: double A[400], double t[20]
 * call: rowwise(20, A, t)
 * scratch: t
 * why: t in line
 * script:
 *   constant n=20
 *   restrict
 *   scratch t
 *   jam i 2
 */
void
rowwise(int n, double *A, double *t)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			t[j] = A[i * n + j] * 2.0;
		for (int j = 0; j < n; j++)
			A[i * n + j] = t[n - 1 - j];
	}
}

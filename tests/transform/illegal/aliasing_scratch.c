/*
 * The scratch row may be a part of the matrix.
 * data: double A[500]
 * call: scratchy(16, A, A + 40)
 * why: may overlap
 * script:
 *   constant n=16
 *   scratch t
 *   fuse j#1 j#2
 */
void
scratchy(int n, double *A, double *t)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			t[j] = A[i * 20 + j] * 2.0;
		for (int j = 0; j < n; j++)
			A[i * 20 + j] = t[j] + 1.0;
	}
}

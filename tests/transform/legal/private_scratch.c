/*
 * Scratch of each row, declared where it is used, lets rows be jammed.
 * data: double A[400], double t[20]
 * call: rowwise(20, A, t)
 * scratch: t
 * script:
 *   constant n=20
 *   restrict
 *   private t
 *   tile i 4
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

/*
 * A condition on data makes a statement that may write.
 * data: double A[400], double B[400]
 * call: clip(20, A, B)
 * script:
 *   constant n=20
 *   restrict
 *   swap i j
 *   jam j 3
 */
void
clip(int n, double *A, const double *B)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (B[i * n + j] > 0.5)
				A[i * n + j] = B[i * n + j];
}

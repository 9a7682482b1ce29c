/*
 * Three loops tiled, sizes that do not divide.
 * data: double A[529], double B[529], double C[529]
 * call: gemm(23, A, B, C)
 * script:
 *   constant n=23
 *   tile i,j,k 8,5,7
 */
void
gemm(int n, const double *restrict A, const double *restrict B, double *restrict C)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				C[i * n + j] += A[i * n + k] * B[k * n + j];
}

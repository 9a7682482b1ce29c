/*
 * No size is known: ends of tiles and the rest of an unrolled loop follow n.
 * data: double A[529], double B[529], double C[529]
 * call: gemm(23, A, B, C)
 * script:
 *   tile i,j 8,8
 *   unroll k 4
 */
void
gemm(int n, const double A[restrict 23][23], const double B[restrict 23][23], double C[restrict 23][23])
{
	int i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			for (k = 0; k < n; k++)
				C[i][j] += A[i][k] * B[k][j];
}

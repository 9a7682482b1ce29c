/*
 * 2mm: the two products stay apart, each is transformed on its own.
 * data: double A[196], double B[196], double C[196], double D[196], double T[196]
 * call: two(14, A, B, C, D, T)
 * script:
 *   constant n=14
 *   swap j#1 k#1
 *   tile i#2,j#2 4,4
 */
void
two(int n, const double *restrict A, const double *restrict B, const double *restrict C,
	double *restrict D, double *restrict T)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				T[i * n + j] += A[i * n + k] * B[k * n + j];
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				D[i * n + j] += T[i * n + k] * C[k * n + j];
}

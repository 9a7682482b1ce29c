/*
 * A write that depends on data meets the write of another iteration.
 * data: double A[400], double top[20]
 * call: peak(20, A, top)
 * why: top in line
 * script:
 *   constant n=20
 *   restrict
 *   swap i j
 */
void
peak(int n, const double *A, double *top)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (A[i * n + j] > 0.3)
				top[(i + j) % 2] = A[i * n + j];
}

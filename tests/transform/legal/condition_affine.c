/*
 * A condition on loops is part of where statements run.
 * data: double A[400], double s[20]
 * call: split(20, A, s)
 * script:
 *   constant n=20
 *   restrict
 *   tile i,j 6,7
 */
void
split(int n, double *A, const double *s)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			if (i < j)
				A[i * 20 + j] += s[i];
			else if (i > j)
				A[i * 20 + j] -= s[j];
		}
}

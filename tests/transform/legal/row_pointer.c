/*
 * A pointer to a row stands for the array that it points into.
 * data: double A[400], double x[20], double y[20]
 * call: rows(20, A, x, y)
 * script:
 *   constant n=20
 *   restrict
 *   jam i 4
 */
void
rows(int n, const double *A, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		const double *row = A + i * 20;

		for (int j = 0; j < n; j++)
			y[i] += row[j] * x[j];
	}
}

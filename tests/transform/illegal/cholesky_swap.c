/*
 * Columns before rows.
 * data: double A[225]
 * call: chol(15, A)
 * why: A in line
 * script:
 *   swap j k
 */
void
chol(int n, double A[15][15])
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				A[i][j] = A[i][j] * 0.9 - A[i][k] * A[k][j] * 0.1;
}

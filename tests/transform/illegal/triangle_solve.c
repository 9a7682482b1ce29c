/*
 * Forward substitution: columns need the rows above.
 * data: double L[400], double x[20]
 * call: solve(20, L, x)
 * why: x in line
 * script:
 *   restrict
 *   swap i j
 */
void
solve(int n, const double *L, double *x)
{
	for (int i = n - 1; i >= 0; i--)
		for (int j = 0; j < n; j++)
			x[i] -= L[i * 20 + j] * x[j] * 0.1;
}

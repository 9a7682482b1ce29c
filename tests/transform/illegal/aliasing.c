/*
 * Two names for one array: the call makes them overlap.
 * data: double A[500]
 * call: shift(20, A, A + 21)
 * why: may overlap
 * script:
 *   swap i j
 */
void
shift(int n, double *to, const double *from)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			to[i * 20 + j + 2] = from[i * 20 + j] + 1.0;
}

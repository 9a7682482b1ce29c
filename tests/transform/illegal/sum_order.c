/*
 * A sum in another order rounds in another way.
 * data: double A[400], double out[1]
 * call: total(20, A, out)
 * why: out in line
 * script:
 *   restrict
 *   swap i j
 */
void
total(int n, const double *A, double *out)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			out[0] += A[i * 20 + j];
}

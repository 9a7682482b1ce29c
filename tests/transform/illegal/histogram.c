/*
 * Writes through subscripts from an array, their order unknown.
 * data: int idx[400], double h[400]
 * call: count(20, idx, h)
 * why: not affine
 * script:
 *   restrict
 *   swap i j
 */
void
count(int n, const int *idx, double *h)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			h[idx[i * 20 + j] % 7] = h[idx[i * 20 + j] % 7] * 0.5 + i;
}

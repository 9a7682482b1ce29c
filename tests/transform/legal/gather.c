/*
 * Subscripts from an array are no hindrance where it is only read.
 * data: int idx[90], double table[90], double out[90]
 * call: gather(90, idx, table, out)
 * script:
 *   restrict
 *   tile i 16
 *   unroll i 4
 */
void
gather(int n, const int *idx, const double *table, double *out)
{
	for (int i = 0; i < n; i++)
		out[i] = table[idx[i]] * 2.0;
}

/*
 * The second loop reads only what the first has written by then.
 * data: double a[80], double b[80], double c[80]
 * call: chain(80, a, b, c)
 * script:
 *   restrict
 *   fuse i j
 */
void
chain(int n, const double *a, double *b, double *c)
{
	for (int i = 1; i < n; i++)
		b[i] = a[i] + a[i - 1];
	for (int j = 1; j < n; j++)
		c[j] = b[j] * b[j] + b[j - 1];
}

/*
 * The second loop reads what the first has not written yet.
 * data: double a[60], double b[60], double c[60]
 * call: ahead(60, a, b, c)
 * why: b in line
 * script:
 *   restrict
 *   fuse i
 */
void
ahead(int n, const double *a, double *b, double *c)
{
	for (int i = 0; i < n - 1; i++)
		b[i] = a[i] * 2.0;
	for (int i = 0; i < n - 1; i++)
		c[i] = b[i] + b[i + 1];
}

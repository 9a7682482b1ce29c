/*
 * Loops that run downwards, and in steps of two.
 * data: double a[101], double b[101]
 * call: down(100, a, b)
 * script:
 *   restrict
 *   unroll i 4
 *   unroll j 3
 */
void
down(int n, double *a, const double *b)
{
	for (int i = n - 1; i >= 1; i--)
		a[i] = a[i - 1] + b[i];
	for (int j = 1; j <= n; j += 2)
		a[j] = a[j - 1] * b[j];
}

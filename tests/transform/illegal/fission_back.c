/*
 * The second statement writes what the first reads in the next iteration.
 * data: double a[60], double b[60]
 * call: chase(60, a, b)
 * why: in line
 * script:
 *   restrict
 *   fission i
 */
void
chase(int n, double *a, double *b)
{
	for (int i = 1; i < n; i++) {
		a[i] = b[i - 1] * 0.5;
		b[i] = a[i] + b[i];
	}
}

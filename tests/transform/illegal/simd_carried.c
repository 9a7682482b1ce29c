/*
 * A pragma that calls a recurrence independent.
 * data: double a[60]
 * call: recur(60, a)
 * why: depend on each other
 * differs: no
 * script:
 *   pragma i GCC ivdep
 *   unroll i 2
 */
void
recur(int n, double *a)
{
	for (int i = 4; i < n; i++)
		a[i] = a[i - 1] * 0.5 + 1.0;
}

/*
 * Each iteration reads what the one before has left.
 * data: double a[60], double s[1]
 * call: carry(60, a, s)
 * scratch: s
 * why: s in line
 * script:
 *   restrict
 *   private s
 */
void
carry(int n, double *a, double *s)
{
	for (int i = 0; i < n; i++) {
		a[i] = a[i] + s[0] * 0.5;
		s[0] = a[i];
	}
}

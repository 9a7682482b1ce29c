/*
 * A stencil in time, two rows by turns.
 * data: double A[80]
 * call: heat(40, 10, A)
 * why: A in line
 * script:
 *   constant n=40 steps=10
 *   tile t,i 4,8
 */
void
heat(int n, int steps, double A[2][40])
{
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++)
			A[(t + 1) % 2][i] = 0.25 * A[t % 2][i - 1] + 0.5 * A[t % 2][i] + 0.25 * A[t % 2][i + 1];
}

/* outcome: run_limit ok */
/* SPDX-License-Identifier: Apache-2.0 */
volatile char x[1ull << 40];

double f(int n, double *y)
{
	x[n] = 1;
	return y[0] = n;
}

/* outcome: run_limit ok */
/* SPDX-License-Identifier: Apache-2.0 */
static volatile char big[1ull << 40];

double f(int n, double *y)
{
	big[n] = 1;
	return y[0] = n;
}

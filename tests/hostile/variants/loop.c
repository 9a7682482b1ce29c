/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	for (volatile int i = 0;; i++)
		;
	return y[0] = n;
}

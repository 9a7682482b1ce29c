/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
static void __attribute__((constructor))
early(void)
{
	for (volatile int i = 0;; i++)
		;
}

double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: ok run_timeout load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
static int (*choose(void))(int)
{
	for (;;)
		;
}
int g(int) __attribute__((ifunc("choose")));
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
volatile int sum;
void add(void)
{
#pragma clang loop unroll_count(1000000)
	for (int i = 0; i < 1000000; i++)
		sum += i;
}
double f(int n, double *y)
{
	return y[0] = n;
}

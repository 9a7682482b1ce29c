/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
char x[1u << 30] = { 1 };
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_limit build_timeout build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
char x[1ull << 40] = { [0 ... (1ull << 39)] = 1 };
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
typedef unsigned _BitInt(8388608) wide;
wide quotient(wide a, wide b)
{
	return a / b;
}
double f(int n, double *y)
{
	return y[0] = n;
}

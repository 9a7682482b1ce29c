/* outcome: build_limit build_timeout ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define A(x) x + x + x + x + x + x + x + x + x + x
#define B(x) A(A(A(x)))
int sum(int n)
{
	return B(B(n));
}
double f(int n, double *y)
{
	return y[0] = n;
}

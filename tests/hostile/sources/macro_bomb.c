/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(B(x))))
int z = C(1 +) 1;
double f(int n, double *y)
{
	return y[0] = n;
}

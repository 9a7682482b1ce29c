/* outcome: build_timeout build_limit wrong_answer */
/* SPDX-License-Identifier: Apache-2.0 */
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(x))))

double f(int n, double *y)
{
	B(if (y[n & 1] > n) n += y[2] * n; else y[3] = n / 3 + y[1];)
	return y[0] = n;
}

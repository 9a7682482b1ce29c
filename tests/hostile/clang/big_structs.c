/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
struct a { int x[64]; };
struct b { struct a x[64]; };
struct c { struct b x[64]; };
struct d { struct c x[64]; } g = { 1 };
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
typedef char wide __attribute__((vector_size(65536)));
wide rest(wide a, wide b)
{
	return a / b % a;
}
double f(int n, double *y)
{
	return y[0] = n;
}

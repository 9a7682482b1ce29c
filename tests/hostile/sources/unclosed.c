/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
int f(int n, double *y) { return n
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#error virtual memory exhausted: Cannot allocate memory
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "/dev/fd/4"
#include "/proc/self/fd/4"
double f(int n, double *y)
{
	return y[0] = n;
}

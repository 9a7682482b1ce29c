/* outcome: build_timeout build_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "/dev/urandom"
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_limit build_failed build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#include __FILE__
#include __FILE__
double f(int n, double *y)
{
	return y[0] = n;
}

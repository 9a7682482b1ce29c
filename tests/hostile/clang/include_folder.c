/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "."
double f(int n, double *y)
{
	return y[0] = n;
}

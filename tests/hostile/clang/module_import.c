/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#pragma clang module import std
double f(int n, double *y)
{
	return y[0] = n;
}

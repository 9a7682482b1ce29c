/* outcome: build_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#pragma clang __debug parser_crash
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: build_limit build_timeout build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#pragma clang __debug overflow_stack
double f(int n, double *y)
{
	return y[0] = n;
}

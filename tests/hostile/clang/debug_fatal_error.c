/* outcome: build_failed build_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#pragma clang __debug llvm_fatal_error
double f(int n, double *y)
{
	return y[0] = n;
}

/* outcome: ok build_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#pragma clang __debug llvm_unreachable
#pragma clang __debug assert
#pragma clang __debug handle_crash
double f(int n, double *y)
{
	return y[0] = n;
}

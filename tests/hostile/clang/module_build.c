/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#pragma clang module build x
module x {}
#pragma clang module contents
#pragma clang module endbuild
#pragma clang module load x
double f(int n, double *y)
{
	return y[0] = n;
}

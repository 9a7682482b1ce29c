/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((section(".init_array"), used)) static void *early = (void *)8;
double f(int n, double *y)
{
	return y[0] = n;
}

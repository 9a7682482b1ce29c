/* outcome: build_limit build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
#line 4294967295 "/etc/shadow"
int x = missing;
double f(int n, double *y)
{
	return y[0] = n;
}

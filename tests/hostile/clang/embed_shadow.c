/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
const unsigned char e[] = {
#embed "/etc/shadow"
};
double f(int n, double *y)
{
	return y[0] = n;
}

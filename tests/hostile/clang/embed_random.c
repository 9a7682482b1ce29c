/* outcome: ok build_failed build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
const unsigned char e[] = {
#embed "/dev/urandom"
};
double f(int n, double *y)
{
	return y[0] = n;
}

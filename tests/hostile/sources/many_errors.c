/* outcome: build_failed build_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#define A missing_1 missing_2; missing_3 missing_4; missing_5 missing_6;
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C
D

double f(int n, double *y)
{
	return y[0] = n;
}

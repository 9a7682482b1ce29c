/* outcome: build_failed build_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#define L "0000000000000000000100000000020000000003000000000400000000050000000006000000000700000000080000000009"
#define M L L L L L L L L L L
#define A _Static_assert(0, M M M M M M M M M M);
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C
D

double f(int n, double *y)
{
	return y[0] = n;
}

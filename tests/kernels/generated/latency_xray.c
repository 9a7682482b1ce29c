/* SPDX-License-Identifier: Apache-2.0 */
/* In the manner of X-Ray: the latency of a multiplication, as each operation waits for the last. */
#define OP	p = p * q;
#define OP4	OP OP OP OP
#define OP16	OP4 OP4 OP4 OP4

double
latency(int rounds, double p, double q)
{
	while (rounds-- > 0) {
		OP16
	}
	return p;
}

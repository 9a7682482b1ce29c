/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>

double f(int n, double *y)
{
	for (int s = 1; s < 64; s++)
		signal(s, SIG_IGN);
	for (;;)
		;
}

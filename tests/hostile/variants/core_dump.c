/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: limits.  It dies with much memory, of which a file might be made. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>

double f(int n, double *y)
{
	char	*much = malloc(64 << 20);

	if (much != NULL)
		memset(much, 1, 64 << 20);
	raise(SIGQUIT);
	abort();
	return y[0] = n;
}

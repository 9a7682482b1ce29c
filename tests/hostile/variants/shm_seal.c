/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  It is sealed against all later writing. */
#define _GNU_SOURCE
#include <fcntl.h>

static void __attribute__((constructor))
early(void)
{
	fcntl(4, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL);
}

double f(int n, double *y)
{
	return y[0] = n;
}

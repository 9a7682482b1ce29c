/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  When called, every desk gets the reply to its next order ahead. */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
}

double f(int n, double *y)
{
	volatile uint32_t	*w = (volatile uint32_t *)(void *)shm;

	for (long i = 0; i + 2 < bytes / 4; i++)
		if (w[i] > 0 && w[i] < 65536 && w[i + 1] > 0 && w[i + 1] == w[i + 2] + 1)
			w[i + 2] = w[i + 1] + 1;
	return y[0] = n;
}

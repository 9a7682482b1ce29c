/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  Whatever waits on one of its words is woken, time and again. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	const long	bytes = lseek(4, 0, SEEK_END);
	char		*shm = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

	for (long i = 0; shm != MAP_FAILED && i < 65536; i += 4)
		syscall(SYS_futex, shm + i, FUTEX_WAKE, 1000, NULL, NULL, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}

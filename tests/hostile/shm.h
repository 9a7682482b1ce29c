/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that runner and supervisor share. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char	*shm;		/* NULL: it cannot be had */
static long	 bytes;

static void
map_all(void)
{
	bytes = lseek(4, 0, SEEK_END);
	shm = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
	if (shm == MAP_FAILED) {
		shm = NULL;
		bytes = 0;
	}
}

/* A desk is a bell, an order and the reply to one.  `behind`: an order may be without a reply. */
static __attribute__((unused)) void
give_again(uint32_t behind)
{
	volatile uint32_t	*w = (volatile uint32_t *)(void *)shm;

	for (long i = 0; i + 2 < bytes / 4; i++)
		if (w[i] > 0 && w[i] < 65536 && w[i + 1] > 0 && w[i + 1] <= w[i] &&
		    w[i + 1] - w[i + 2] <= behind) {
			w[i + 1]++;
			w[i]++;
			syscall(SYS_futex, &w[i], FUTEX_WAKE, 1000, NULL, NULL, 0);
		}
	usleep(50000);
}

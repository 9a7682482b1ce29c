/* SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/stream.h"

#define LEAST_BYTES	((size_t)64 << 20)
#define PART_BYTES	((size_t)1 << 20)	/* between two looks at `life` */
#define LINE_BYTES	64u
enum { CACHES = 4, LONGEST_S = 60 };

static int
is_over(int life)
{
	struct pollfd	p = { .fd = life, .events = POLLIN };

	return poll(&p, 1, 0) != 0;
}

/* Each line is read and made dirty, so that it is written back, too. */
static void
stream_part(volatile uint64_t *at)
{
	for (size_t i = 0; i < PART_BYTES / sizeof *at; i += LINE_BYTES / sizeof *at)
		at[i]++;
}

void
stream_memory(size_t cache_bytes, int life)
{
	const size_t	wanted = CACHES * cache_bytes, least = LEAST_BYTES;
	const size_t	bytes = (wanted > least ? wanted : least) / PART_BYTES * PART_BYTES;
	char		*area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return;
	(void)alarm(LONGEST_S);
	(void)madvise(area, bytes, MADV_HUGEPAGE);
	for (size_t at = 0; !is_over(life); at = at + PART_BYTES < bytes ? at + PART_BYTES : 0)
		stream_part((volatile uint64_t *)(void *)(area + at));
	(void)munmap(area, bytes);
}

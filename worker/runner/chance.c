/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/runner/chance.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/ticks.h"

enum {
	GAP_PAGES	= 512,		/* at most: beyond 2 MiB only the page tables differ */
	KEPT_PAGES	= 64,
};

static uint64_t
number(uint64_t seed, uint64_t place, uint64_t below)
{
	return rt_number(seed, place) % below;
}

/* Which of the free pages it keeps, and which are next, depends on how many it takes at a time. */
static void
keep_pages(uint64_t seed, size_t page_bytes)
{
	const size_t	 bytes = (1 + number(seed, 1, KEPT_PAGES)) * page_bytes;
	char		*at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return;
	if (!rt_memalign_bring_in(at, bytes))
		for (size_t i = 0; i < bytes; i += page_bytes)
			*(volatile char *)(at + i) = 1;
	for (size_t i = 0, end; i < bytes; i = end + page_bytes) {
		for (end = i; end < bytes && number(seed, 2 + end, 2) == 0; end += page_bytes)
			continue;
		if (end > i)
			madvise(at + i, end - i, MADV_DONTNEED);
	}
}

void
rt_chance_draw(void)
{
	const size_t	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const uint64_t	seed = rt_ticks_start() ^ (uint64_t)getpid() << 32;

	(void)mmap(NULL, (1 + number(seed, 0, GAP_PAGES)) * page_bytes, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	keep_pages(seed, page_bytes);
}

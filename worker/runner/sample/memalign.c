/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mapping is laid out as  [ slack | header | operand | guard page ].  The header, just before the
 * operand, lets an operand be freed by its pointer alone.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/runner/sample/memalign.h"

#define HUGE_BYTES	((uint64_t)2 << 20)
#define HUGE_FROM_BYTES	RT_MEMALIGN_HUGE_BYTES
#define MOST_BYTES	((uint64_t)1 << 46)

struct header {
	void		*map;
	uint64_t	 span_bytes;
};

static uint64_t
page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t
round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static int
is_power_of_2(uint64_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* Header, operand and what aligning may cost: whole pages. */
static uint64_t
body_bytes(uint64_t bytes, uint64_t align, uint64_t misalign)
{
	uint64_t	body = sizeof(struct header) + bytes + (misalign > align ?
			    misalign : align);

	return round_up(body, body >= HUGE_FROM_BYTES ? HUGE_BYTES : page_bytes());
}

uint64_t
rt_memalign_span(uint64_t bytes, uint64_t align, uint64_t misalign)
{
	uint64_t	body = body_bytes(bytes, align, misalign);

	return body + page_bytes() + (body >= HUGE_FROM_BYTES ? HUGE_BYTES : 0);
}

/* The highest address, as aligned as asked, at which the operand ends by `end`. */
static uintptr_t
place_before(uintptr_t end, uint64_t bytes, uint64_t align, uint64_t misalign)
{
	uintptr_t	at = end - bytes;

	if (misalign <= align)
		return at & ~(uintptr_t)(align - 1);
	return ((at - align) & ~(uintptr_t)(misalign - 1)) + align;
}

/*
 * No page but the body's may be touched.  Rights are only taken away here: a filter that refuses
 * new ones (filter.c) may be in force.
 */
static int
close_outside(char *map, uint64_t span_bytes, uintptr_t start, uint64_t body)
{
	const uint64_t	before = start - (uintptr_t)map;

	return (before == 0 || mprotect(map, before, PROT_NONE) == 0) &&
	    mprotect((void *)(start + body), span_bytes - before - body, PROT_NONE) == 0;
}

void *
rt_memalign_like(uint64_t bytes, uint64_t align, uint64_t misalign, uint64_t piece_bytes)
{
	struct header	 header;
	uint64_t	 body, page = page_bytes();
	uintptr_t	 start;
	char		*at;

	if (!is_power_of_2(align) || (misalign != 0 && !is_power_of_2(misalign)))
		return NULL;
	if (bytes > MOST_BYTES || align > MOST_BYTES || misalign > MOST_BYTES)
		return NULL;

	body = body_bytes(bytes, align, misalign);
	header.span_bytes = rt_memalign_span(bytes, align, misalign);
	header.map = mmap(NULL, header.span_bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (header.map == MAP_FAILED)
		return NULL;

	start = round_up((uintptr_t)header.map, body >= HUGE_FROM_BYTES ? HUGE_BYTES : page);
	if (!close_outside(header.map, header.span_bytes, start, body)) {
		munmap(header.map, header.span_bytes);
		return NULL;
	}
	if (body >= HUGE_FROM_BYTES)
		madvise((void *)start, body,
		    body_bytes(piece_bytes, align, misalign) >= HUGE_FROM_BYTES ? MADV_HUGEPAGE :
		    MADV_NOHUGEPAGE);

	at = (char *)place_before(start + body, bytes, align, misalign);
	memcpy(at - sizeof header, &header, sizeof header);
	return at;
}

void *
rt_memalign(uint64_t bytes, uint64_t align, uint64_t misalign)
{
	return rt_memalign_like(bytes, align, misalign, bytes);
}

void *
rt_memalign_whole(const void *at, uint64_t *bytes)
{
	struct header	header = { NULL, 0 };

	if (at != NULL)
		memcpy(&header, (const char *)at - sizeof header, sizeof header);
	*bytes = header.span_bytes;
	return header.map;
}

void
rt_memalign_free(void *at)
{
	uint64_t	 bytes;
	void		*map = rt_memalign_whole(at, &bytes);

	if (map != NULL)
		munmap(map, bytes);
}

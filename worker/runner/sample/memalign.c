/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mapping is laid out as  [ slack | header | operand | guard page ].  The header, just before the
 * operand, lets an operand be freed by its pointer alone.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/runner/sample/memalign.h"

#define HUGE_BYTES	((uint64_t)2 << 20)
#define HUGE_FROM_BYTES	RT_MEMALIGN_HUGE_BYTES
#define MOST_BYTES	((uint64_t)1 << 46)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

struct header {
	void		*map;
	uint64_t	 span_bytes;
	int		 is_borrowed;	/* part of an area */
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

/* Header, operand and what aligning may cost. */
static uint64_t
plain_bytes(uint64_t bytes, uint64_t align, uint64_t misalign)
{
	return sizeof(struct header) + bytes + (misalign > align ? misalign : align);
}

/* Whole pages of a body, which are huge ones where it is large. */
static uint64_t
unit_of(uint64_t plain, char pages)
{
	return plain >= HUGE_FROM_BYTES || pages == 'h' ? HUGE_BYTES : page_bytes();
}

/* The highest address `past` a multiple of `unit` at which the operand ends by `end`. */
static uintptr_t
place_before(uintptr_t end, uint64_t bytes, uint64_t unit, uint64_t past)
{
	return ((end - bytes - past) & ~(uintptr_t)(unit - 1)) + past;
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

/* The body, and all that is left of the area behind it. */
static int
find_in_area(const struct rt_memory *in, uint64_t body, uint64_t unit, struct header *h,
    uintptr_t *start)
{
	const uintptr_t	end = ((uintptr_t)in->area + in->area_bytes) & ~(page_bytes() - 1);

	*start = round_up((uintptr_t)in->area, unit);
	h->map = (void *)*start;
	h->span_bytes = end > *start ? end - *start : 0;
	return h->span_bytes >= body + page_bytes();
}

/* Of a body of whole units that begins at one: its mapping, or a part of an area. */
static int
find_room(const struct rt_memory *in, uint64_t body, uint64_t unit, struct header *h,
    uintptr_t *start)
{
	const uint64_t	page = page_bytes();

	h->is_borrowed = in->area != NULL;
	if (h->is_borrowed)
		return find_in_area(in, body, unit, h, start);
	h->span_bytes = body + page + (unit == HUGE_BYTES ? HUGE_BYTES : 0);
	h->map = mmap(NULL, h->span_bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*start = round_up((uintptr_t)h->map, unit);
	return h->map != MAP_FAILED;
}

static void
give_back(const struct header *h)
{
	if (h->is_borrowed)
		mprotect(h->map, h->span_bytes, PROT_READ | PROT_WRITE);
	else
		munmap(h->map, h->span_bytes);
}

/* Before its first touch. */
static int
choose_pages(const struct rt_memory *in, void *body, uint64_t bytes, uint64_t piece_plain)
{
	enum { POLICY_BIND = 2, NODES = 1024, BITS = 8 * sizeof(unsigned long) };
	unsigned long	nodes[NODES / BITS] = { 0 };
	const int	is_large = piece_plain >= HUGE_FROM_BYTES && in->area == NULL;

	if (in->pages == 'h' || (in->pages == 'l' && is_large))
		madvise(body, bytes, MADV_HUGEPAGE);
	else if (in->pages == 's' || (bytes >= HUGE_FROM_BYTES && !is_large))
		madvise(body, bytes, MADV_NOHUGEPAGE);
	if (in->node < 0)
		return 1;
	if (in->node >= NODES)
		return 0;
	nodes[(unsigned)in->node / BITS] = 1ul << (unsigned)in->node % BITS;
	return syscall(SYS_mbind, body, bytes, POLICY_BIND, nodes, (unsigned long)NODES, 0) == 0;
}

void *
rt_memalign_in(const struct rt_memory *in, uint64_t bytes, uint64_t align, uint64_t misalign)
{
	struct header	 header;
	const uint64_t	 plain = plain_bytes(bytes, align, misalign);
	const uint64_t	 unit = unit_of(plain, in->pages), body = round_up(plain, unit);
	uintptr_t	 start;
	uint64_t	 past = in->offset;
	char		*at;

	if (!is_power_of_2(align) || (misalign != 0 && !is_power_of_2(misalign)))
		return NULL;
	if (bytes > MOST_BYTES || align > MOST_BYTES || misalign > MOST_BYTES || past >= align)
		return NULL;
	past += misalign > align ? align : 0;
	if (!find_room(in, body, unit, &header, &start))
		return NULL;
	if (!close_outside(header.map, header.span_bytes, start, body) ||
	    !choose_pages(in, (void *)start, body, in->piece_bytes != 0 ?
	    plain_bytes(in->piece_bytes, align, misalign) : plain)) {
		give_back(&header);
		return NULL;
	}
	at = (char *)place_before(start + body, bytes, misalign > align ? misalign : align, past);
	memcpy(at - sizeof header, &header, sizeof header);
	return at;
}

void *
rt_memalign(uint64_t bytes, uint64_t align, uint64_t misalign)
{
	const struct rt_memory	any = { .pages = 'l', .node = -1 };

	return rt_memalign_in(&any, bytes, align, misalign);
}

int
rt_memalign_bring_in(void *at, uint64_t bytes)
{
	const uintptr_t	start = (uintptr_t)at & ~(uintptr_t)(page_bytes() - 1);
	const uint64_t	whole = round_up((uintptr_t)at + bytes - start, page_bytes());

	return whole > page_bytes() && madvise((void *)start, whole, MADV_POPULATE_WRITE) == 0;
}

void *
rt_memalign_whole(const void *at, uint64_t *bytes)
{
	struct header	header = { NULL, 0, 0 };

	if (at != NULL)
		memcpy(&header, (const char *)at - sizeof header, sizeof header);
	*bytes = header.span_bytes;
	return header.map;
}

void
rt_memalign_free(void *at)
{
	struct header	header;

	if (at == NULL)
		return;
	memcpy(&header, (const char *)at - sizeof header, sizeof header);
	give_back(&header);
}

/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "worker/runner/sample/flush.h"

#define SMALL_PAGE	4096u

/* The sum of the loops' reads ends up here, so that no compiler can find them useless. */
static volatile uint64_t	sink;

struct rt_range
rt_range_of(void *at, uint64_t count, uint32_t element_bytes, uint64_t stride)
{
	if (stride <= 1)
		return (struct rt_range){ at, 1, count * element_bytes, count * element_bytes };
	return (struct rt_range){ at, (count + stride - 1) / stride, element_bytes,
	    stride * element_bytes };
}

static uintptr_t
line_of(uintptr_t at, uint32_t line_bytes)
{
	return at & ~(uintptr_t)(line_bytes - 1);
}

uint64_t
rt_range_cached_bytes(const struct rt_range *r, uint32_t line_bytes)
{
	uint64_t	lines = (r->piece_bytes + line_bytes - 1) / line_bytes;

	if (r->step_bytes < line_bytes)
		return r->pieces * r->step_bytes;
	return r->pieces * lines * line_bytes;
}

void
rt_settle(void)
{
#if defined(__x86_64__)
	__asm__ volatile("mfence\n\tlfence" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("dsb sy\n\tisb" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

void
rt_be_certain(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lfence" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("dsb nsh\n\tisb" ::: "memory");
#else
	rt_settle();
#endif
}

#if defined(__x86_64__)
static int
has_clflushopt(void)
{
	static int	known;			/* 0: not asked yet, 1: no, 2: yes */
	unsigned	a, b, c, d;

	if (known == 0)
		known = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 23) ? 2 : 1;
	return known == 2;
}

static void
flush_span(uintptr_t at, uintptr_t end, uint32_t line_bytes)
{
	if (has_clflushopt())
		for (; at < end; at += line_bytes)
			__asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)at));
	else
		for (; at < end; at += line_bytes)
			__asm__ volatile("clflush %0" : "+m"(*(volatile char *)at));
}

#elif defined(__aarch64__)
static void
flush_span(uintptr_t at, uintptr_t end, uint32_t line_bytes)
{
	for (; at < end; at += line_bytes)
		__asm__ volatile("dc civac, %0" :: "r"(at) : "memory");
}

#else
static void
flush_span(uintptr_t at, uintptr_t end, uint32_t line_bytes)
{
	(void)at;
	(void)end;
	(void)line_bytes;
}

#endif

int
rt_flush_lines_can(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return 1;
#else
	return 0;
#endif
}

int
rt_flush_lines(const struct rt_range *r, uint32_t line_bytes)
{
	if (!rt_flush_lines_can())
		return 0;
	rt_settle();
	for (uint64_t i = 0; i < r->pieces; i++) {
		uintptr_t	at = (uintptr_t)r->at + i * r->step_bytes;

		flush_span(line_of(at, line_bytes), at + r->piece_bytes, line_bytes);
	}
	rt_settle();
	return 1;
}

void
rt_touch(const struct rt_range *r, uint32_t line_bytes)
{
	uint64_t	sum = 0;

	rt_be_certain();
	for (uint64_t i = 0; i < r->pieces; i++) {
		const char	*at = r->at + i * r->step_bytes, *end = at + r->piece_bytes;

		for (; at < end; at = (const char *)line_of((uintptr_t)at, line_bytes) + line_bytes)
			sum += *(const volatile unsigned char *)at;
	}
	sink += sum;
}

void
rt_store(const struct rt_range *r, uint32_t line_bytes)
{
	rt_be_certain();
	for (uint64_t i = 0; i < r->pieces; i++) {
		char	*at = r->at + i * r->step_bytes, *end = at + r->piece_bytes;

		for (; at < end; at = (char *)line_of((uintptr_t)at, line_bytes) + line_bytes)
			*(volatile char *)at = *(volatile char *)at;
	}
}

/* One byte in each page. */
static struct rt_range
pages_of(uintptr_t at, uint64_t bytes)
{
	uintptr_t	first = at & ~(uintptr_t)(SMALL_PAGE - 1);

	return (struct rt_range){ (char *)first, (at + bytes - first + SMALL_PAGE - 1) / SMALL_PAGE,
	    1, SMALL_PAGE };
}

int
rt_look_up(const struct rt_range *r, uint32_t line_bytes)
{
	const int	apart = r->step_bytes > SMALL_PAGE;

	if (!rt_flush_lines_can())
		return 0;
	for (uint64_t i = 0; i < (apart ? r->pieces : 1); i++) {
		struct rt_range	pages = pages_of((uintptr_t)r->at + i * r->step_bytes,
		    apart ? r->piece_bytes : (r->pieces - 1) * r->step_bytes + r->piece_bytes);

		rt_touch(&pages, line_bytes);
		rt_flush_lines(&pages, line_bytes);
	}
	return 1;
}

void
rt_read_area(const void *area, uint64_t bytes, uint32_t line_bytes)
{
	const volatile unsigned char	*at = area;
	uint64_t			 sum = 0;

	for (uint64_t i = 0; i < bytes; i += line_bytes)
		sum += at[i];
	sink += sum;
}

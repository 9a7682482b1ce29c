/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/sample/canary.h"
#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/ticks.h"

#define ROUNDS	384u			/* of sixteen times six additions */
#define AREA_BYTES	65536u
#define PAGE_BYTES	4096

#define ALL_SIX	"+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f)

#if defined(__x86_64__)
#define LINK		"add %1, %0\n\t"
/* Additions of a register: some cores do those of a constant without executing anything. */
#define SIX	"add %6, %0\n\tadd %6, %1\n\tadd %6, %2\n\t" \
		"add %6, %3\n\tadd %6, %4\n\tadd %6, %5\n\t"
#define WORK()	__asm__ volatile(".rept 16\n\t" SIX ".endr" : ALL_SIX : "r"(step) : "cc")
#elif defined(__aarch64__)
#define LINK		"add %0, %0, %1\n\t"
#define SIX	"add %0, %0, %6\n\tadd %1, %1, %6\n\tadd %2, %2, %6\n\t" \
		"add %3, %3, %6\n\tadd %4, %4, %6\n\tadd %5, %5, %6\n\t"
#define WORK()	__asm__ volatile(".rept 16\n\t" SIX ".endr" : ALL_SIX : "r"(step))
#else
#define SIX()	(a += step, b += step, c += step, d += step, e += step, f += step)
#define KEEP()	__asm__ volatile("" : ALL_SIX)
#define FOUR()	(SIX()); KEEP(); (SIX()); KEEP(); (SIX()); KEEP(); (SIX()); KEEP()
#define WORK()	do { FOUR(); FOUR(); FOUR(); FOUR(); } while (0)
#endif

uint32_t
rt_canary(void)
{
	uint64_t	a = 1;
	uint64_t	b = 2;
	uint64_t	c = 3;
	uint64_t	d = 4;
	uint64_t	e = 5;
	uint64_t	f = 6;
	uint64_t	step = 7;
	uint64_t	began = rt_ticks_start();

	for (unsigned i = 0; i < ROUNDS; i++)
		WORK();
	return rt_ticks_since(began);
}

#ifdef LINK
#define CHAIN()	__asm__ volatile(".rept 64\n\t" LINK ".endr" : "+r"(a) : "r"(step) : "cc")
#else
#define ADD()	do { a += step; __asm__ volatile("" : "+r"(a)); } while (0)
#define CHAIN()	do { for (int k = 0; k < 64; k++) ADD(); } while (0)
#endif

uint32_t
rt_pace(void)
{
	uint64_t	a = 1, step = 7, began = rt_ticks_start();

	for (unsigned i = 0; i < RT_PACE_CYCLES / 64; i++)
		CHAIN();
	return rt_ticks_since(began);
}

/* Pages that were never written are all the same page of zeros. */
static char *
area(void)
{
	static _Alignas(PAGE_BYTES) char	at[AREA_BYTES];
	static int				written;

	if (!written)
		memset(at, 1, sizeof at);
	written = 1;
	return at;
}

uint32_t
rt_memory_canary(uint32_t line_bytes)
{
	struct rt_range	 r = { area(), 1, AREA_BYTES, AREA_BYTES };
	uint64_t	 began;

	if (!rt_flush_lines(&r, line_bytes))
		return 0;
	began = rt_ticks_start();
	rt_read_area(r.at, AREA_BYTES, line_bytes);
	return rt_ticks_since(began);
}

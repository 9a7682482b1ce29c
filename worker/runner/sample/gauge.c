/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/gauge.h"
#include "worker/runner/sample/ticks.h"

#define PAGE_BYTES	4096u
#define OTHER_BLOCKS	(PAGE_BYTES / 512u - 1)	/* of a small page */
#define FIRST_OCTAVE	4u		/* bins begin at 16 ticks */
#define BINS_SHIFT	3u		/* eight in each octave */

static volatile uint64_t	sink;

unsigned
rt_gauge_bin(uint32_t ticks)
{
	unsigned	octave, bin;

	if (ticks < 1u << FIRST_OCTAVE)
		return 0;
	octave = 31u - (unsigned)__builtin_clz(ticks);
	bin = (octave - FIRST_OCTAVE) << BINS_SHIFT |
	    (ticks >> (octave - BINS_SHIFT) & ((1u << BINS_SHIFT) - 1));
	return bin < RUNNER_BINS ? bin : RUNNER_BINS - 1;
}

uint32_t
rt_gauge_least(unsigned bin)
{
	const uint32_t	in_octave = 1u << BINS_SHIFT;

	return bin == 0 ? 0 : (in_octave | bin % in_octave) << (bin / in_octave + FIRST_OCTAVE -
	    BINS_SHIFT);
}

/*
 * A line of the page, at another distance each time: processors learn which lines follow one.  In a
 * block of RT_GAUGE_STEP lines it is neither the same nor its neighbour.
 */
static void
look_up_page(const char *at, uint64_t number)
{
	const uintptr_t	in_page = (uintptr_t)at % PAGE_BYTES;
	const uintptr_t	away = 512 * (1 + number % OTHER_BLOCKS) + 128;

	sink = *(const volatile unsigned char *)(at - in_page + (in_page + away) % PAGE_BYTES);
}

/* For the processor, each address depends on what was read before: it reads none early. */
static inline __attribute__((always_inline)) uint32_t
read_one(const char *at)
{
	uint64_t	began = rt_ticks_start();

	(void)*(const volatile unsigned char *)at;
	return rt_ticks_since(began);
}

static inline __attribute__((always_inline)) uint32_t
read_chain(const char *const *at, uint64_t zero)
{
	uint64_t	next, began;
	const char	*a = at[0], *b = at[1], *c = at[2], *d = at[3];

	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	began = rt_ticks_start();
	next = *(const volatile unsigned char *)a & zero;
	next = *(const volatile unsigned char *)(b + next) & zero;
	next = *(const volatile unsigned char *)(c + next) & zero;
	next = *(const volatile unsigned char *)(d + next) & zero;
	__asm__ volatile("" :: "r"(next));
	return rt_ticks_since(began);
}

void
rt_gauge_read(const char *const *at, unsigned lines, uint64_t secret, struct runner_lines *to)
{
	uint64_t	zero = 0;

	__asm__ volatile("" : "+r"(zero));
	for (unsigned i = 0; i < lines; i++)
		look_up_page(at[i], rt_number(secret, i));
	rt_settle();
	if (lines == RUNNER_CHAIN)
		to->chain[rt_gauge_bin(read_chain(at, zero))]++;
	else
		to->single[rt_gauge_bin(read_one(at[0]))]++;
}

void
rt_gauge_choose(uint64_t secret, unsigned slots, unsigned chosen[RUNNER_CHAIN])
{
	unsigned	slot[RT_GAUGE_SLOTS];

	for (unsigned i = 0; i < slots; i++)
		slot[i] = i;
	for (unsigned i = 0; i < RUNNER_CHAIN; i++) {
		const unsigned	j = i + (unsigned)(rt_number(secret, i) % (slots - i));

		chosen[i] = slot[j];
		slot[j] = slot[i];
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/sentinel.h"
#include "worker/runner/sample/ticks.h"

#define PAGE_BYTES	4096u
#define TRIES		3		/* a reading's time is the least of these */
#define MOST_TRIES	15
#define APART		3		/* memory takes so many times longer than the last cache */

static volatile uint64_t	sink;

static uint64_t
lines_of_a_set(uint64_t sets)
{
	return sets <= RT_SENTINEL_SETS ? RT_SENTINEL_LINES + 1 : 1;
}

/* One set in so many has lines. */
static uint64_t
sets_of_a_line(uint64_t sets)
{
	return sets / RT_SENTINEL_MOST + 1;
}

static char *
zeros(uint64_t lines)
{
	const struct rt_memory	 small = { .pages = 's', .node = -1 };
	char			*at = rt_memalign_in(&small, lines * RT_SENTINEL_STEP,
				    PAGE_BYTES, 0);

	if (at != NULL)
		memset(at, 0, lines * RT_SENTINEL_STEP);	/* in memory of its own: pages never
								 * written are all one */
	return at;
}

int
rt_sentinel_make(struct rt_sentinel *t, uint64_t sets)
{
	if (t->home == NULL && (t->home = zeros(RT_SENTINEL_LINES + 1)) == NULL)
		return 0;
	if (sets == t->far_sets)
		return 1;
	rt_memalign_free(t->far);
	t->far_sets = 0;
	t->far = sets != 0 ? zeros((sets / sets_of_a_line(sets) + 1) * lines_of_a_set(sets)) :
	    NULL;
	if (sets != 0 && t->far == NULL)
		return 0;
	t->far_sets = sets;
	return 1;
}

void
rt_sentinel_free(struct rt_sentinel *t)
{
	rt_memalign_free(t->home);
	rt_memalign_free(t->far);
	memset(t, 0, sizeof *t);
}

/* In an order that no prefetcher knows. */
static const char *
line_of(const char *set, unsigned i)
{
	return set + (5 * i + 3) % RT_SENTINEL_LINES * RT_SENTINEL_STEP;
}

/* NULL: this set has none. */
static const char *
far_set(const struct rt_sentinel *t, uint32_t entry)
{
	const uint64_t	set = entry & ~RT_TURNED, every = sets_of_a_line(t->far_sets);

	return set % every != 0 ? NULL :
	    t->far + set / every * lines_of_a_set(t->far_sets) * RT_SENTINEL_STEP;
}

/* They are zeros, but only the processor that has read one knows where the next is. */
static uint32_t
read_each(const char *const *at)
{
	uint64_t	next = 0, began = rt_ticks_start();
	uint32_t	took;

	for (unsigned i = 0; i < RT_SENTINEL_LINES; i++)
		next = *(const volatile uint64_t *)(const void *)(at[i] + next);
	took = rt_ticks_since(began);
	sink = next;
	return took;
}

static uint32_t
read_set(const char *set)
{
	const char	*at[RT_SENTINEL_LINES];

	for (unsigned i = 0; i < RT_SENTINEL_LINES; i++)
		at[i] = line_of(set, i);
	sink = *(const volatile unsigned char *)(set + RT_SENTINEL_LINES * RT_SENTINEL_STEP);
	return read_each(at);
}

uint32_t
rt_sentinel_read(const struct rt_sentinel *t)
{
	return read_set(t->home);
}

void
rt_sentinel_touch(const struct rt_sentinel *t)
{
	(void)read_set(t->home);
}

static uint64_t
count_far(const struct rt_sentinel *t, const uint32_t *walk, uint64_t calls)
{
	uint64_t	lines = 0;

	for (uint64_t n = 0; n < calls; n++)
		lines += far_set(t, walk[n]) != NULL;
	return lines;
}

/*
 * With one line a set, those of sets that are spread over the sample, from its end: touching the
 * sample's before in their order may have brought the first few.
 */
uint32_t
rt_sentinel_read_far(const struct rt_sentinel *t, const uint32_t *walk, uint64_t calls)
{
	const char	*at[RT_SENTINEL_LINES];
	uint64_t	 lines, seen = 0;
	unsigned	 chosen = 0;

	if (lines_of_a_set(t->far_sets) > 1)
		return read_set(far_set(t, walk[calls / 2]));
	if ((lines = count_far(t, walk, calls)) < RT_SENTINEL_LINES)
		return 0;
	for (uint64_t n = calls; chosen < RT_SENTINEL_LINES && n-- > 0;)
		if (far_set(t, walk[n]) != NULL && seen++ == chosen * (lines / RT_SENTINEL_LINES))
			at[chosen++] = far_set(t, walk[n]);
	return read_each(at);
}

void
rt_sentinel_touch_far(const struct rt_sentinel *t, const uint32_t *walk, uint64_t calls)
{
	for (uint64_t n = 0; n < calls; n++) {
		const char	*set = far_set(t, walk[n]);

		for (unsigned i = 0; set != NULL && i < lines_of_a_set(t->far_sets); i++)
			sink += *(const volatile unsigned char *)(set + i * RT_SENTINEL_STEP);
	}
}

/* ---- what a reading takes ---- */

int
rt_sentinel_flush(const struct rt_sentinel *t, uint32_t line_bytes)
{
	const struct rt_range	all = { t->home, RT_SENTINEL_LINES + 1, 1, RT_SENTINEL_STEP };

	return rt_flush_lines(&all, line_bytes);
}

static void
keep_least(uint32_t *least, uint32_t x)
{
	if (*least == 0 || x < *least)
		*least = x;
}

/*
 * A neighbour that empties the last cache makes "near" memory as well, for a while.  Without a
 * flush there is nothing to be apart from.
 */
static int
are_apart(const struct runner_sentinel *known)
{
	return known->far == 0 || known->near <= known->far / APART;
}

static void
read_places(struct rt_sentinel *t, const struct rt_pollution *other, uint32_t line_bytes)
{
	rt_sentinel_touch(t);
	keep_least(&t->known.hot, rt_sentinel_read(t));
	rt_pollute(other, 0);
	keep_least(&t->known.near, rt_sentinel_read(t));
	if (rt_sentinel_flush(t, line_bytes))
		keep_least(&t->known.far, rt_sentinel_read(t));
}

void
rt_sentinel_know(struct rt_sentinel *t, const struct rt_pollution *other, uint32_t line_bytes)
{
	if (t->known.hot != 0)
		return;
	rt_pollution_enter(other);
	for (int i = 0; i < TRIES || (i < MOST_TRIES && !are_apart(&t->known)); i++)
		read_places(t, other, line_bytes);
}

/* Nearer to the last cache than to memory, on a scale of ratios. */
static int
is_near(const struct runner_sentinel *known, uint32_t ticks)
{
	return ticks != 0 && (uint64_t)ticks * ticks < (uint64_t)known->near * known->far;
}

void
rt_sentinel_doubt(struct rt_sentinel *t, const struct rt_pollution *other, uint32_t line_bytes,
    const struct runner_sample *sample, uint32_t samples)
{
	uint32_t	near = 0;

	for (uint32_t i = 0; i < samples; i++)
		near += is_near(&t->known, sample[i].sentinel);
	if (t->doubted || 2 * near <= samples)
		return;
	t->doubted = 1;
	for (int i = 0; i < MOST_TRIES; i++)
		read_places(t, other, line_bytes);
}

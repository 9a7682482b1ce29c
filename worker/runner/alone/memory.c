/* SPDX-License-Identifier: Apache-2.0 */
/* The operands: where they lie, what is in them, and what of them is in a cache. */
#include <string.h>
#include <unistd.h>

#include "worker/runner/alone/memory.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/memalign.h"

#define USUAL_AREA	((uint64_t)64 << 20)	/* where the caches' size is not known */
#define CACHES		8u			/* times the largest cache: it is not quite LRU */

static uint64_t
positive(long x, uint64_t otherwise)
{
	return x > 0 ? (uint64_t)x : otherwise;
}

/* Of operand k, or its negated copy. */
static const char *
make_one(struct memory *m, uint32_t place, uint32_t k)
{
	const struct rt_operand	*o = &assay_driver.rt_operand[k];
	const struct rt_memory	 in = { .pages = o->rt_pages, .offset = o->rt_offset,
	    .node = rt_alone_operand[k].rt_node, .area = place == k ? o->rt_home : NULL,
	    .area_bytes = o->rt_home_bytes };

	if (__builtin_mul_overflow(o->rt_count, (uint64_t)o->rt_bytes, &m->bytes[place]))
		return "an operand is larger than the address space";
	m->operand[place] = o;
	m->cold[place] = rt_alone_operand[k].rt_cold;
	m->at[place] = rt_memalign_in(&in, m->bytes[place], o->rt_align, o->rt_misalign);
	m->first[place] = rt_memalign(m->bytes[place], o->rt_align, 0);
	if (m->at[place] == NULL || m->first[place] == NULL)
		return "no memory for an operand";
	if (place == k)
		rt_fill(o, m->first[place]);
	else
		rt_fill_negated(o, m->first[place], m->first[k]);
	return NULL;
}

static const char *
make_all(struct memory *m)
{
	const char	*why = NULL;

	m->n = assay_driver.rt_operands;
	for (uint32_t k = 0; k < assay_driver.rt_operands && why == NULL; k++)
		why = make_one(m, k, k);
	for (uint32_t k = 0; k < assay_driver.rt_operands && why == NULL; k++)
		if (assay_driver.rt_operand[k].rt_paired)
			why = make_one(m, m->n++, k);
	return why;
}

/* Memory to read in the operands' place, if instructions do not flush them. */
static const char *
make_area(struct memory *m)
{
	const uint64_t	largest = positive(sysconf(_SC_LEVEL3_CACHE_SIZE), 0);

	if (!memory_is_cold(m) || (rt_flush_lines_can() && !m->spec.rt_by_reading))
		return NULL;
	m->area_bytes = m->spec.rt_flush_bytes;
	if (m->area_bytes == 0)
		m->area_bytes = largest != 0 ? CACHES * largest : USUAL_AREA;
	if ((m->area = rt_memalign(m->area_bytes, 64, 0)) == NULL)
		return "no memory to flush the caches with";
	memset(m->area, 1, m->area_bytes);	/* else all of its pages are the one of zeros */
	return NULL;
}

const char *
memory_make(struct memory *m)
{
	const char	*why;

	memset(m, 0, sizeof *m);
	rt_alone_describe(&m->spec);
	m->line_bytes = (uint32_t)positive(sysconf(_SC_LEVEL1_DCACHE_LINESIZE), 64);
	if (assay_driver.rt_operands > 0)
		assay_driver.rt_describe();
	if ((why = make_all(m)) != NULL || (why = make_area(m)) != NULL)
		return why;
	memory_restore(m);
	return NULL;
}

void
memory_restore(struct memory *m)
{
	for (uint32_t k = 0; k < m->n; k++)
		memcpy(m->at[k], m->first[k], m->bytes[k]);
}

void
memory_restore_inout(struct memory *m)
{
	for (uint32_t k = 0; k < m->n; k++)
		if (m->operand[k]->rt_access == 'b')
			memcpy(m->at[k], m->first[k], m->bytes[k]);
}

static struct rt_range
touched(const struct memory *m, uint32_t k)
{
	const struct rt_operand	*o = m->operand[k];

	return rt_range_of(m->at[k], o->rt_count, o->rt_bytes, o->rt_stride);
}

static uint64_t
flush_lines(struct memory *m)
{
	uint64_t	lines = 0;

	for (uint32_t k = 0; k < m->n; k++) {
		const struct rt_range	range = touched(m, k);

		if (!m->cold[k])
			continue;
		rt_flush_lines(&range, m->line_bytes);
		lines += (rt_range_cached_bytes(&range, m->line_bytes) + m->line_bytes - 1) /
		    m->line_bytes;
	}
	return lines;
}

uint64_t
memory_prepare(struct memory *m)
{
	uint64_t	lines = 0;

	if (m->area != NULL)
		rt_read_area(m->area, m->area_bytes, m->line_bytes);
	else
		lines = flush_lines(m);
	for (uint32_t k = 0; k < m->n; k++) {
		const struct rt_range	range = touched(m, k);

		if (!m->cold[k])
			rt_touch(&range, m->line_bytes);
	}
	rt_settle();
	return lines;
}

int
memory_is_cold(const struct memory *m)
{
	for (uint32_t k = 0; k < m->n; k++)
		if (m->cold[k])
			return 1;
	return 0;
}

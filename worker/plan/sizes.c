/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/plan/sizes.h"

#define DEFAULT_CACHE	((uint64_t)32 << 20)	/* where no cache is known */
#define DEFAULT_LINE	64u
#define MOST_TABLES	((uint64_t)128 << 20)

uint64_t
sizes_cache(const struct slot *slot, enum cache_state level)
{
	return level == CACHE_L1 ? slot->l1_bytes : level == CACHE_L2 ? slot->l2_bytes :
	    slot->l3_bytes;
}

uint64_t
sizes_largest_cache(const struct slot *slot)
{
	uint64_t	largest = slot->l1_bytes;

	if (slot->l2_bytes > largest)
		largest = slot->l2_bytes;
	if (slot->l3_bytes > largest)
		largest = slot->l3_bytes;
	return largest != 0 ? largest : DEFAULT_CACHE;
}

uint64_t
sizes_by_default(const struct slot *slot, unsigned caches)
{
	const uint64_t	largest = sizes_largest_cache(slot);
	const uint64_t	most = 2 * largest > SIZES_DEFAULT ? 2 * largest : SIZES_DEFAULT;

	return caches * largest < most ? caches * largest : most;
}

uint64_t
sizes_to_leave(enum cache_state level, const struct slot *slot)
{
	const uint64_t	bytes = sizes_cache(slot, level);
	const bool	is_last = bytes == sizes_largest_cache(slot);
	const uint64_t	known = is_last ? slot->flush_bytes : level == CACHE_L1 ?
			    slot->flush_l1_bytes : slot->flush_l2_bytes;

	if (known != 0)
		return known;
	return is_last ? sizes_by_default(slot, SIZES_LRU_CACHES) : SIZES_LEVEL_CACHES * bytes;
}

uint64_t
sizes_of_tables(const struct slot *slot)
{
	const uint64_t	largest = sizes_largest_cache(slot);
	const uint64_t	bytes = slot->flush_bytes != 0 ? slot->flush_bytes / SIZES_TABLES_PART :
			    largest + largest / 2;

	return bytes < MOST_TABLES ? bytes : MOST_TABLES;
}

uint64_t
sizes_to_flush(const struct spec *s, const struct slot *slot, unsigned caches)
{
	if (s->timing.flush_bytes != 0)
		return s->timing.flush_bytes;
	if (s->context == CONTEXT_FLUSH_BYTES)
		return s->context_flush_bytes;
	if (s->context == CONTEXT_FLUSH_LEVEL)
		return sizes_to_leave(s->context_level, slot);
	return sizes_by_default(slot, caches);
}

bool
sizes_are_given(const struct spec *s)
{
	return s->timing.flush_bytes != 0 || s->context == CONTEXT_FLUSH_BYTES ||
	    s->context == CONTEXT_FLUSH_LEVEL;
}

bool
sizes_are_partial(const struct spec *s, const struct slot *slot)
{
	const uint64_t	whole = slot->flush_bytes != 0 ? slot->flush_bytes :
			    sizes_by_default(slot, SIZES_LRU_CACHES);

	return sizes_are_given(s) && sizes_to_flush(s, slot, 0) < whole;
}

unsigned
sizes_cpus(const struct slot *slot)
{
	return slot->cpus > 1 ? slot->cpus : 1;
}

static uint64_t
round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static uint64_t
cached_bytes(const struct operand *o, uint64_t line)
{
	const uint64_t	element = spec_element_bytes(o);

	if (o->stride * element <= line)
		return round_up(o->elements * element, line);
	return (o->elements + o->stride - 1) / o->stride * round_up(element, line);
}

static uint64_t
spaced_bytes(const struct operand *o, uint64_t line)
{
	uint64_t	unit = line;

	if (unit < o->align)
		unit = o->align;
	if (unit < o->misalign)
		unit = o->misalign;
	return round_up(o->elements * spec_element_bytes(o), unit);
}

void
sizes_of_call(const struct spec *s, const struct slot *slot, uint64_t moving, uint64_t *cached,
    uint64_t *spaced)
{
	const uint64_t	line = slot->line_bytes != 0 ? slot->line_bytes : DEFAULT_LINE;
	unsigned	k = 0;

	*cached = *spaced = 0;
	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (!s->args[i].is_operand || !(moving >> k++ & 1))
			continue;
		*cached += cached_bytes(o, line);
		*spaced += spaced_bytes(o, line) * (spec_is_paired(s, i) ? 2 : 1);
	}
}

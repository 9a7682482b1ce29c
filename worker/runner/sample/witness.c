/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker/runner/sample/witness.h"

static struct rt_sets	*watched;

/* A bit for each set, one row of bytes after the other for the operands. */
static unsigned char *
row_of(const struct rt_sets *s, uint32_t operand)
{
	return s->seen + operand * ((s->sets + 7) / 8);
}

void
rt_saw(rt_u32 operand, const void *at)
{
	const struct rt_live	*l = &watched->live[operand];
	uint64_t		 offset = (uint64_t)((const char *)at - l->far), set, within;

	if (l->far == NULL || (set = offset / l->step_bytes) >= watched->sets)
		return;
	within = offset % l->step_bytes;
	if (within != 0 && within != l->twin_bytes)	/* the operand, or its negated copy */
		return;
	row_of(watched, operand)[set / 8] |= (unsigned char)(1u << set % 8);
}

static uint64_t
count(const struct rt_sets *s, uint32_t operand)
{
	uint64_t	n = 0;

	for (uint64_t i = 0; i < (s->sets + 7) / 8; i++)
		n += (uint64_t)__builtin_popcount(row_of(s, operand)[i]);
	return n;
}

uint64_t
rt_witness_walk(struct rt_sets *s, const uint32_t *walk, uint64_t calls)
{
	const struct rt_driver	*d = s->driver;
	uint64_t		 step[RT_MAX_OPERANDS], fewest = UINT64_MAX;
	void			*at[RT_SETS_AT];

	if (d->rt_witness == NULL || s->sets == 0)
		return 0;
	if (s->seen == NULL && (s->seen = calloc(d->rt_operands, (s->sets + 7) / 8)) == NULL)
		return 0;
	watched = s;
	rt_sets_far(s, at, step);
	d->rt_rotate(d->rt_witness, at, step, walk, calls);
	for (uint32_t k = 0; k < d->rt_operands; k++)
		if (s->live[k].far != NULL && count(s, k) < fewest)
			fewest = count(s, k);
	return fewest != UINT64_MAX ? fewest : 0;
}

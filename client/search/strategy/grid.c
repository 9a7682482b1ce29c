/* SPDX-License-Identifier: Apache-2.0 */
#include "client/search/strategy/grid.h"

enum { RANDOM_TRIES = 400 };
#define GRID_MAX_SIZE	((uint64_t)1 << 62)
#define SEARCH_STEPS	((uint64_t)1 << 20)	/* about half a second of tests */

bool
grid_measure(struct grid *s)
{
	s->size = 1;
	for (size_t d = 0; d < s->ndims; d++)
		if (__builtin_mul_overflow(s->size, (uint64_t)s->values[d], &s->size) ||
		    s->size > GRID_MAX_SIZE)
			return false;
	return true;
}

static bool
admits(const struct grid *s, const struct point *p, size_t known)
{
	return s->admits == NULL || s->admits(s->arg, p, known);
}

bool
grid_admits(const struct grid *s, const struct point *p)
{
	return admits(s, p, s->ndims);
}

uint64_t
grid_id(const struct grid *s, const struct point *p)
{
	uint64_t	id = 0;

	for (size_t d = 0; d < s->ndims; d++)
		id = id * s->values[d] + p->at[d];
	return id;
}

void
grid_point(const struct grid *s, uint64_t id, struct point *p)
{
	for (size_t d = s->ndims; d-- > 0; id /= s->values[d])
		p->at[d] = (uint32_t)(id % s->values[d]);
}

/* Count up in the first `known` dimensions; those behind become 0.  False: that was the last. */
static bool
step(const struct grid *s, struct point *p, size_t known)
{
	for (size_t d = known; d < s->ndims; d++)
		p->at[d] = 0;
	for (size_t d = known; d-- > 0; p->at[d] = 0)
		if (++p->at[d] < s->values[d])
			return true;
	return false;
}

/* The fewest leading dimensions that leave the point out; 0: it is in. */
static size_t
left_out_by(const struct grid *s, const struct point *p, uint64_t *steps)
{
	for (size_t known = 1; known <= s->ndims && *steps > 0; known++, --*steps)
		if (!admits(s, p, known))
			return known;
	return 0;
}

bool
grid_next(const struct grid *s, struct point *p, uint64_t *steps)
{
	size_t	known;

	while ((known = left_out_by(s, p, steps)) != 0)
		if (!step(s, p, known))
			return false;
	return *steps > 0;
}

bool
grid_random(const struct grid *s, struct dice *d, struct point *p)
{
	uint64_t	steps = SEARCH_STEPS;

	for (unsigned i = 0; i < RANDOM_TRIES; i++) {
		grid_point(s, dice_below(d, s->size), p);
		if (grid_admits(s, p))
			return true;
	}
	if (grid_next(s, p, &steps))		/* few are in: the next behind a random place */
		return true;
	grid_point(s, 0, p);
	return steps > 0 && grid_next(s, p, &steps);
}

static uint64_t
neighbours_along(const struct grid *s, size_t d)
{
	return s->ordered[d] && s->values[d] > 1 ? 2 : s->values[d] - 1;
}

uint64_t
grid_neighbours(const struct grid *s)
{
	uint64_t	n = 0;

	for (size_t d = 0; d < s->ndims; d++)
		n += neighbours_along(s, d);
	return n;
}

bool
grid_neighbour(const struct grid *s, const struct point *from, uint64_t number, struct point *p)
{
	size_t	d = 0;

	for (; d < s->ndims && number >= neighbours_along(s, d); d++)
		number -= neighbours_along(s, d);
	if (d == s->ndims)
		return false;
	*p = *from;
	if (!s->ordered[d])
		p->at[d] = (uint32_t)((from->at[d] + 1 + number) % s->values[d]);
	else
		p->at[d] += number == 0 ? 1 : UINT32_MAX;	/* UINT32_MAX: one less */
	return p->at[d] < s->values[d] && grid_admits(s, p);
}

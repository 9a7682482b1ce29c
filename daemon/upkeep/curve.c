/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/upkeep/curve.h"

void
curve_begin(struct curve *c, uint64_t cache_bytes, uint64_t next_bytes, uint64_t most_bytes)
{
	*c = (struct curve){ .cache_bytes = cache_bytes, .next_bytes = next_bytes,
	    .most_bytes = most_bytes };
}

static uint64_t
size_at(const struct curve *c, size_t i)
{
	return c->next_bytes != 0 ? knee_inner_size(c->cache_bytes, c->next_bytes, i) :
	    knee_size(c->cache_bytes, c->most_bytes, i);
}

static size_t
rounds(const struct curve *c)
{
	return c->next_bytes != 0 ? CURVE_ROUNDS_INNER : CURVE_ROUNDS_LAST;
}

/* The size for a timing after the first round: from the largest to the least, then back. */
static size_t
index_now(const struct curve *c)
{
	size_t	k = (c->step - c->grown) % c->points;

	return (c->step - c->grown) / c->points % 2 == 0 ? c->points - 1 - k : k;
}

uint64_t
curve_next_bytes(const struct curve *c)
{
	return c->grown == 0 ? size_at(c, c->points) : c->point[index_now(c)].bytes;
}

/* Behind the plateau of an inner cache lies the next cache: all its sizes are timed. */
static bool
wants_larger(const struct curve *c)
{
	struct knee	k;

	if (c->at_limit || c->points == KNEE_MAX_POINTS || size_at(c, c->points) == 0)
		return false;
	knee_find(&k, c->point, c->points);
	return c->next_bytes != 0 ||
	    !knee_is_settled(&k, c->cache_bytes, c->point[c->points - 1].bytes);
}

static enum status
grow(struct curve *c, int64_t job, double ns, struct fault *why)
{
	if (ns > 0) {
		c->point[c->points] = (struct knee_point){ size_at(c, c->points), ns };
		c->job[c->points++] = job;
	} else {
		c->at_limit = true;
	}
	if (!wants_larger(c))
		c->grown = c->step + 1;
	if (c->grown != 0 && c->points < KNEE_POINTS)
		return fault_set(why, ST_INTERNAL,
		    "there is memory for only %zu sizes: too few for a curve", c->points);
	return ST_OK;
}

/*
 * A size once more.  After the last round the curve is more precise, and may need larger sizes
 * after all.
 */
static bool
repeat(struct curve *c, int64_t job, double ns)
{
	size_t	i = index_now(c);

	if (ns > 0 && ns < c->point[i].time_ns) {
		c->point[i].time_ns = ns;
		c->job[i] = job;
	}
	if (c->step + 1 < c->grown + (rounds(c) - 1) * c->points)
		return true;
	if (!wants_larger(c))
		return false;
	c->grown = 0;
	return true;
}

enum status
curve_take(struct curve *c, int64_t job, double ns, bool *more, struct fault *why)
{
	enum status	st = ST_OK;

	*more = true;
	if (c->grown == 0)
		st = grow(c, job, ns, why);
	else
		*more = repeat(c, job, ns);
	c->step++;
	return st;
}

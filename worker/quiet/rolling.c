/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/quiet/rolling.h"

/* Place of the first reading that is not less. */
static unsigned
place_of(const struct rolling *r, uint32_t reading)
{
	unsigned	low = 0, high = r->readings;

	while (low < high) {
		unsigned	middle = (low + high) / 2;

		if (r->sorted[middle] < reading)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
forget(struct rolling *r, uint32_t reading)
{
	unsigned	at = place_of(r, reading);

	r->readings--;
	memmove(&r->sorted[at], &r->sorted[at + 1], (r->readings - at) * sizeof r->sorted[0]);
}

void
rolling_see(struct rolling *r, unsigned room, uint32_t reading)
{
	unsigned	at;

	if (r->readings == room)
		forget(r, r->recent[r->next]);
	at = place_of(r, reading);
	memmove(&r->sorted[at + 1], &r->sorted[at], (r->readings - at) * sizeof r->sorted[0]);
	r->sorted[at] = r->recent[r->next] = reading;
	r->next = (r->next + 1) % room;
	r->readings++;
	r->kept.left -= r->kept.left > 0;
}

static uint32_t
own_base(const struct rolling *r, unsigned share)
{
	return r->readings > 0 ? r->sorted[r->readings / share] : 0;
}

uint32_t
rolling_base(const struct rolling *r, unsigned share)
{
	uint32_t	own = own_base(r, share);

	return r->kept.left > 0 && (own == 0 || r->kept.base < own) ? r->kept.base : own;
}

/*
 * Readings to come until too few of its own are at most `most`: the old ones go, or drown among new
 * ones.
 */
static unsigned
own_left(const struct rolling *r, unsigned room, unsigned share, double most)
{
	unsigned	n = r->readings, oldest = n == room ? r->next : 0, left = 0;
	unsigned	low = most < UINT32_MAX ? place_of(r, (uint32_t)most + 1) : n;

	for (; low > n / share; left++) {
		if (n < room) {
			n++;
		} else {
			low -= (double)r->recent[oldest] <= most;
			oldest = (oldest + 1) % room;
		}
	}
	return left;
}

struct rolling_kept
rolling_known(const struct rolling *r, unsigned room, unsigned share, double factor)
{
	struct rolling_kept	own = { .base = own_base(r, share) }, before = r->kept;

	own.left = own_left(r, room, share, factor * (double)own.base);
	if (before.left == 0)
		return own;
	before.left += own_left(r, room, share, factor * (double)before.base);
	if (before.left < own.left)
		return own;
	if (before.left > room)
		before.left = room;
	if (own.base != 0 && own.base < before.base &&
	    (double)before.base <= factor * (double)own.base)
		before.base = own.base;
	return before;
}

void
rolling_keep(struct rolling *r, struct rolling_kept kept)
{
	r->kept = kept;
	if (kept.base == 0)
		r->kept.left = 0;
}

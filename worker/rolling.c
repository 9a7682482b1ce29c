/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/rolling.h"

/* Where the first one that is not less stands. */
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
}

uint32_t
rolling_base(const struct rolling *r, unsigned share)
{
	return r->readings > 0 ? r->sorted[r->readings / share] : 0;
}

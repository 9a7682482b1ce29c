/* SPDX-License-Identifier: Apache-2.0 */

#include "client/tune/front.h"

static bool
beats(double value, uint64_t bytes, double than, uint64_t than_bytes)
{
	return value < than || (value == than && bytes < than_bytes);
}

/* The best value with less code than `below`; the ledger's n: there is none. */
static size_t
next_of(const struct ledger *l, const struct field *f, uint64_t below)
{
	size_t	best = l->n;

	for (size_t i = 0; i < l->n; i++) {
		const uint64_t	bytes = record_code_bytes(&l->at[i], f);

		if (!record_is_timed(&l->at[i], f) || bytes == 0 || bytes >= below)
			continue;
		if (best == l->n || beats(l->at[i].value, bytes, l->at[best].value,
		    record_code_bytes(&l->at[best], f)))
			best = i;
	}
	return best;
}

size_t
front_find(const struct ledger *l, const struct field *f, size_t *at)
{
	uint64_t	below = UINT64_MAX;
	size_t		n = 0, next;

	while (n < FRONT_MAX && (next = next_of(l, f, below)) < l->n) {
		at[n++] = next;
		below = record_code_bytes(&l->at[next], f);
	}
	return n;
}

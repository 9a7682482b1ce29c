/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/walk.h"

#define ORDERS	3u		/* backward, forward, random */
#define TIMES	3u		/* each is written: two traversals, and what begins in the second */

/* Fisher and Yates. */
static void
shuffle(uint32_t *order, uint64_t n)
{
	for (uint64_t i = n; i > 1; i--) {
		uint64_t	j = rt_number(n, i) % i;
		uint32_t	spare = order[i - 1];

		order[i - 1] = order[j];
		order[j] = spare;
	}
}

static uint32_t *
order_of(const struct rt_walk *w, enum runner_walk which)
{
	return w->order + TIMES * (which - RUNNER_BACKWARD) * w->sets;
}

const char *
rt_walk_make(struct rt_walk *w, uint64_t sets, uint32_t turned)
{
	uint32_t	*back, *forth, *drunk;

	if ((w->order = calloc(sets, TIMES * ORDERS * sizeof *w->order)) == NULL)
		return "no memory for the order of the working sets";
	w->sets = sets;
	w->position = 0;
	back = order_of(w, RUNNER_BACKWARD);
	forth = order_of(w, RUNNER_FORWARD);
	drunk = order_of(w, RUNNER_RANDOM);
	for (uint64_t i = 0; i < sets; i++) {
		back[i] = (uint32_t)(sets - 1 - i);
		forth[i] = drunk[i] = (uint32_t)i;
	}
	shuffle(drunk, sets);
	for (uint32_t n = 0; n < ORDERS; n++) {
		uint32_t	*order = w->order + TIMES * n * sets;

		for (uint64_t i = 0; i < sets; i++)
			order[sets + i] = order[i] | turned;
		memcpy(order + 2 * sets, order, sets * sizeof *order);
	}
	return NULL;
}

void
rt_walk_free(struct rt_walk *w)
{
	free(w->order);
	memset(w, 0, sizeof *w);
}

int
rt_walk_is_cold(uint32_t walk)
{
	return walk != RUNNER_STAY && walk != RUNNER_AGAIN && walk != RUNNER_STROLL;
}

const uint32_t *
rt_walk_next(struct rt_walk *w, enum runner_walk which, uint64_t calls)
{
	const uint32_t	*part;

	if (which == RUNNER_AGAIN || which == RUNNER_STROLL)
		return order_of(w, RUNNER_FORWARD);
	part = order_of(w, which) + w->position;
	w->position = (w->position + calls) % (2 * w->sets);
	return part;
}

void
rt_walk_pass(struct rt_walk *w, uint64_t sets)
{
	if (w->sets != 0)
		w->position = (w->position + sets % (2 * w->sets)) % (2 * w->sets);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operand swap: the first and the last operand change places, which makes a load a store.  Before
 * unrolling all copies are the same: LL, SS.  After it each copy chooses: LL, LS, SL, SS.
 */
#include "client/micro/pass/pass.h"

static uint64_t
ways_before(const struct pattern *p)
{
	return p->swap == WHEN_BEFORE ? 2 : 1;
}

static uint64_t
ways_after(const struct pattern *p)
{
	return p->swap == WHEN_AFTER ? 2 : 1;
}

static void
apply(struct program *of, struct pattern *p, uint64_t way)
{
	const struct slot	first = p->slots[0];

	(void)of;
	if (way == 0)
		return;
	p->slots[0] = p->slots[p->nslots - 1];
	p->slots[p->nslots - 1] = first;
	p->is_swapped = true;
}

const struct pass	pass_swap_before = {
	.name = "swap_before", .text = "operands as they are and swapped, all copies the same",
	.kind = PASS_BEFORE, .ways = ways_before, .apply = apply,
};

const struct pass	pass_swap_after = {
	.name = "swap_after", .text = "operands as they are and swapped, each copy for itself",
	.kind = PASS_AFTER, .ways = ways_after, .apply = apply,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* operation choice: one of several <operation>, before unrolling or for each copy. */
#include "client/micro/pass/pass.h"

static uint64_t
ways_before(const struct pattern *p)
{
	return p->choose == WHEN_AFTER ? 1 : p->ncandidates;
}

static uint64_t
ways_after(const struct pattern *p)
{
	return p->choose == WHEN_AFTER ? p->ncandidates : 1;
}

/* The other one of the two passes has one way, and leaves what is chosen. */
static void
apply_before(struct program *of, struct pattern *p, uint64_t way)
{
	(void)of;
	if (p->choose != WHEN_AFTER)
		p->candidate = way;
}

static void
apply_after(struct program *of, struct pattern *p, uint64_t way)
{
	(void)of;
	if (p->choose == WHEN_AFTER)
		p->candidate = way;
}

const struct pass	pass_operation_before = {
	.name = "operation_before", .text = "one of several operations, all copies the same",
	.kind = PASS_BEFORE, .ways = ways_before, .apply = apply_before,
};

const struct pass	pass_operation_after = {
	.name = "operation_after", .text = "one of several operations, each copy for itself",
	.kind = PASS_AFTER, .ways = ways_after, .apply = apply_after,
};

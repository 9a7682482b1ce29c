/* SPDX-License-Identifier: Apache-2.0 */
/* A pass more: with a nop behind the instructions of a kernel, or without it. */
#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

static uint64_t
ways(const struct kernel *k)
{
	return assay_micro_count(k) > 0 ? 2 : 1;
}

static void
apply(struct program *p, struct kernel *k, uint64_t way)
{
	if (way == 1)
		(void)assay_micro_add(p, k, assay_micro_count(k), "nop");
}

int
assay_micro_plugin(struct micro *m)
{
	static const struct assay_micro_pass	pass = {
		.version = ASSAY_MICRO_VERSION, .name = "nop", .text = "with a nop and without",
		.kind = ASSAY_MICRO_KERNEL, .kernel_ways = ways, .kernel_apply = apply,
	};

	return assay_micro_insert_before(m, "unroll", &pass) ? 0 : 1;
}

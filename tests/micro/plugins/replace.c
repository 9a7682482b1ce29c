/* SPDX-License-Identifier: Apache-2.0 */
/* Another pass in a pass's place: every copy is a store with movups, and moves two lines on. */
#include <string.h>

#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

static void
change(struct program *p, struct pattern *one)
{
	if (strcmp(assay_micro_operation(one), "movaps") != 0)
		return;
	(void)assay_micro_set_operation(p, one, "movups");
	(void)assay_micro_set_offset(one, 0, assay_micro_offset(one, 0) + 128);
	(void)assay_micro_swap(one, 0, 1);
}

static bool
run(struct program *p, struct fault *why)
{
	struct kernel	*k;

	(void)why;
	for (size_t i = 0; (k = assay_micro_kernel(p, i)) != NULL; i++)
		for (size_t at = 0; at < assay_micro_count(k); at++)
			change(p, assay_micro_instruction(k, at));
	return true;
}

int
assay_micro_plugin(struct micro *m)
{
	static const struct assay_micro_pass	pass = {
		.version = ASSAY_MICRO_VERSION, .name = "stores", .text = "stores, further on",
		.kind = ASSAY_MICRO_PROGRAM, .run = run,
	};

	return assay_micro_replace(m, "swap_after", &pass) ? 0 : 1;
}

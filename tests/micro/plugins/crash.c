/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a pointer to nowhere, in its third program. */
#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

static bool
run(struct program *p, struct fault *why)
{
	volatile int	*nowhere = NULL;

	(void)why;
	if (assay_micro_index(p) == 2)
		*nowhere = 1;
	return true;
}

int
assay_micro_plugin(struct micro *m)
{
	static const struct assay_micro_pass	pass = {
		.version = ASSAY_MICRO_VERSION, .name = "crash", .text = "crashes",
		.kind = ASSAY_MICRO_PROGRAM, .run = run,
	};

	return assay_micro_insert_before(m, "code_generation", &pass) ? 0 : 1;
}

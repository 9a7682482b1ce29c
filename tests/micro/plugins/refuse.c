/* SPDX-License-Identifier: Apache-2.0 */
/* A pass that refuses a program, in its own words. */
#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

static bool
run(struct program *p, struct fault *why)
{
	(void)p;
	return assay_micro_refuse(why, "this one is not to my taste");
}

int
assay_micro_plugin(struct micro *m)
{
	static const struct assay_micro_pass	pass = {
		.version = ASSAY_MICRO_VERSION, .name = "taste", .text = "refuses",
		.kind = ASSAY_MICRO_PROGRAM, .run = run,
	};

	return assay_micro_insert_after(m, "unroll", &pass) ? 0 : 1;
}

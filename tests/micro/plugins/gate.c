/* SPDX-License-Identifier: Apache-2.0 */
/* Gates: one pass is off, and another runs later than it did. */
#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

static bool
never(const struct micro *m)
{
	(void)m;
	return false;
}

int
assay_micro_plugin(struct micro *m)
{
	return assay_micro_set_gate(m, "unroll", never) &&
	    assay_micro_move_after(m, "swap_after", "immediate_after") ? 0 : 1;
}

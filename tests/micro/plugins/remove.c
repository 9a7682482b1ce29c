/* SPDX-License-Identifier: Apache-2.0 */
/* A pass less: operands are not swapped after unrolling. */
#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

int
assay_micro_plugin(struct micro *m)
{
	return assay_micro_remove(m, "swap_after") ? 0 : 1;
}

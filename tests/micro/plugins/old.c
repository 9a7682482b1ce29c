/* SPDX-License-Identifier: Apache-2.0 */
/* Made for another version of the header. */
#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION + 1;

int
assay_micro_plugin(struct micro *m)
{
	(void)m;
	return 0;
}

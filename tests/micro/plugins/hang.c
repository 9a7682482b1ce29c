/* SPDX-License-Identifier: Apache-2.0 */
/* Never returns, and leaves a process behind that does not end either. */
#include <unistd.h>

#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

int
assay_micro_plugin(struct micro *m)
{
	(void)m;
	(void)fork();
	for (;;)
		(void)pause();
}

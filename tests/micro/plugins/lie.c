/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what it likes to each descriptor that it finds. */
#include <string.h>
#include <unistd.h>

#include "assay-micro.h"

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

int
assay_micro_plugin(struct micro *m)
{
	static const char	words[] = "a program that was never made, and is long enough for a head\n";

	(void)m;
	for (int fd = 3; fd < 64; fd++)
		(void)!write(fd, words, strlen(words));
	return 0;
}

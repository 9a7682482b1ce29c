/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_MICRO_RUN_H
#define ASSAY_CLIENT_CMD_MICRO_MICRO_RUN_H

#include "client/print/cli.h"

/*
 * assay micro run FILE.xml: its programs, launched over a size for each level of the caches.
 * argv[0] is "run".  Returns the exit code.
 */
int	 micro_run(const struct cli_command *, struct cli *, int argc, char **argv);

#endif

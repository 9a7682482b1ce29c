/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_COMPLETE_COMPLETE_H
#define ASSAY_CLIENT_CMD_COMPLETE_COMPLETE_H

#include "client/print/cli.h"

/*
 * Print what the last of these words, those of a command line behind "assay", can become (see
 * candidates.h), by the tables of the commands and of their options.  It may be empty.
 */
void	 complete(const struct cli_command *commands, char **words, size_t n);

#endif

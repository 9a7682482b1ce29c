/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_COMPLETE_SERVED_H
#define ASSAY_CLIENT_CMD_COMPLETE_SERVED_H

#include "client/print/cli.h"

enum { SERVED_HELP_BYTES = 32768 };

/* The flags of serve are assayd's, which lists them: --help. */
struct served {
	char	help[SERVED_HELP_BYTES];	/* the options' texts */
};

/* Fills the table, at most CLI_MAX_OPTIONS.  Returns how many; 0: there is no assayd. */
size_t	 served_options(struct served *, struct cli_option *);

#endif

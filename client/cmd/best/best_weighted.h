/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_BEST_BEST_WEIGHTED_H
#define ASSAY_CLIENT_CMD_BEST_BEST_WEIGHTED_H

#include "client/print/cli.h"

/*
 * `assay best --weight SWEEP=N …`: sweeps of the same variants, each in a context of its own, and
 * how many of the application's calls are made in it.  Prints the `top` first by weighted time.
 * ST_NOT_FOUND: no variant has an ok time in all of them.
 */
enum status	 best_weighted(const struct cli *, const struct cli_list *weights, int64_t top,
		    struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_BEST_FLEET_BEST_H
#define ASSAY_CLIENT_CMD_BEST_FLEET_BEST_H

#include "client/print/cli.h"

/*
 * `assay best -H A,B SWEEP`: the fastest of each host class, over its hosts.  Times of two classes
 * are never ranked together.
 */
enum status	 fleet_best(const struct cli *, const char *sweep, int64_t top, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_SWEEP_SWEEP_LIST_H
#define ASSAY_CLIENT_CMD_SWEEP_SWEEP_LIST_H

#include "client/print/cli.h"

/* assay sweep list: which sweeps, newest first.  NULL: any; borrowed. */
struct sweep_list {
	const char	*search, *state, *user;
	int64_t		 limit;
};

enum { SWEEP_LIST_DEFAULT = 50, SWEEP_LIST_MAX = 100000 };

enum status	 sweep_list(struct cli *, const struct sweep_list *, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_ATTEMPTS_H
#define ASSAY_CLIENT_CMD_LAUNCH_ATTEMPTS_H

#include <jansson.h>

#include "client/cmd/launch/launch.h"
#include "proto/wire/result.h"

/*
 * A size of a launch over listed sizes is given up when its first jobs have no time, and all for
 * the same reason of the size: a limit of time or memory, or a spec that is refused.
 */
enum { ATTEMPTS_GIVE_UP = 3 };

struct attempts {
	struct {
		char	 status[24];		/* of the first */
		size_t	 n;
		bool	 differ, are_over;	/* differ: one has a time, or another status */
	} of_size[SURVEY_MAX_ARRAYS];
};

/*
 * A result has come.  true: its size is given up now, and *ids (new reference) has the size's jobs.
 * `all`: those of the sweep in their order; sizes are its first dimension, or its last.  A sweep of
 * more than 10000 jobs has no list, and no size of it is given up.
 */
bool	 attempts_take(struct attempts *, const struct launch *, const struct result *,
	    const json_t *all, json_t **ids);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_LEVELS_H
#define ASSAY_CLIENT_CMD_MICRO_LEVELS_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Sizes of arrays that lie in one level of the caches (MicroTools, section 5.1): half of the first
 * level, and twice the level above each other one.
 */
enum { LEVELS = 4 };

struct levels {
	const char	*name[LEVELS];		/* static: "L1", "L2", "L3", "memory" */
	int64_t		 bytes[LEVELS];		/* of all arrays together */
	unsigned	 n;
};

/* Is each word of "L1,L2,memory" a level?  The host is not asked; NULL is fine. */
enum status	 levels_check(const char *text, struct fault *);

/*
 * Those named in `text`, "L1,L2,memory" (NULL: all that the host has).  `caches`: the member of
 * host.get.  ST_BAD_REQUEST: a name is none, or the host lacks the level.
 */
enum status	 levels_of(struct levels *, const char *text, const json_t *caches, struct fault *);

#endif

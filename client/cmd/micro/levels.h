/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_LEVELS_H
#define ASSAY_CLIENT_CMD_MICRO_LEVELS_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Sizes of arrays that lie in one level of the caches (MicroTools, section 5.1): half of the first
 * level, and twice the level above each other one.  Where the host is calibrated, L3 is no larger
 * than what flushes all caches, and memory no larger than twice that; and memory has 128 MiB at
 * most.
 */
enum { LEVELS = 4 };

struct levels {
	const char	*name[LEVELS];		/* static: "L1", "L2", "L3", "memory" */
	int64_t		 bytes[LEVELS];		/* of all arrays together */
	int64_t		 elements[LEVELS];	/* of each array; 0: the caller has yet to set it */
	/* sizes below it that its time is compared with, each half of the one above: steady.h */
	unsigned	 halvings[LEVELS];
	const char	*base_name[LEVELS];	/* static: "L1 base", of such a size; NULL: none */
	unsigned	 n;
	int64_t		 area;			/* flushes all caches, by calibration; 0: unknown */
	int64_t		 doubted;		/* last cache that may hold memory's; 0: none */
};

/* Is each word of "L1,L2,memory" a level?  The host is not asked; NULL is fine. */
enum status	 levels_check(const char *text, struct fault *);

/*
 * Those named in `text`, "L1,L2,memory" (NULL: all that the host has).  `host`: the answer
 * of host.get.  ST_BAD_REQUEST: a name is none, or the host lacks the level.
 */
enum status	 levels_of(struct levels *, const char *text, const json_t *host, struct fault *);

#endif

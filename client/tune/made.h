/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_MADE_H
#define ASSAY_CLIENT_TUNE_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Variants that a script made, by the script's parameters: { NAME: value } for each of them, in the
 * sweep's member `made`, beside the dimension "variant".  The parameters are dimensions of the
 * search in its place.  Points without a variant were illegal, or left out by the script.
 */
enum { MADE_MAX_DIMENSIONS = 16, MADE_MAX_POINTS = 1 << 20 };

struct made {
	size_t		 ndims;				/* 0: there is none of this */
	const char	*name[MADE_MAX_DIMENSIONS];	/* borrowed */
	json_t		*values[MADE_MAX_DIMENSIONS];	/* owned; lists, in their order */
	uint32_t	*variant;			/* owned; of each point: number + 1 */
};

/* `points`: the member; borrowed.  NULL: nothing was made. */
enum status	 made_open(struct made *, const json_t *points, struct fault *);
void		 made_release(struct made *);		/* zeroed memory is fine */

/* Of the values with these numbers; false: there is no such variant. */
bool		 made_variant(const struct made *, const uint32_t *at, size_t *variant);

#endif

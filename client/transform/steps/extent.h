/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_STEPS_EXTENT_H
#define ASSAY_CLIENT_TRANSFORM_STEPS_EXTENT_H

#include "client/transform/work/work.h"

/* Which elements of an array a region reaches, in each subscript: least … size - 1. */
struct extent {
	int64_t	 least[SYMBOL_MAX_DIMS], size[SYMBOL_MAX_DIMS];
	size_t	 n;
	bool	 is_written;
};

enum { EXTENT_MAX_BYTES = 1 << 20 };	/* on the stack of a routine */

enum status	 extent_find(struct work *, struct region *, const struct script_step *,
		    const struct symbol *, struct extent *, struct fault *);
#endif

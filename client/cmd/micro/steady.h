/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_STEADY_H
#define ASSAY_CLIENT_CMD_MICRO_STEADY_H

#include "client/cmd/launch/rows.h"

/*
 * The time of an iteration far from the ends of a call.  A call costs something once: the branch
 * at the loop's end is mispredicted, the store buffer drains.  An empty call does not, so this cost
 * stays when the empty call's is subtracted, and an iteration of a short call has a part of it.
 * The difference of two calls of the same program on more and on fewer elements is free of it.
 *
 * Where a size has several below it, the least of the differences between neighbours counts: a
 * branch predictor that knows the ends of short calls alone makes the longer ones dearer, never
 * cheaper.  If they disagree by more than 10 %, the calls were disturbed or are very short.  Then
 * the value of the whole call stands: the steady time is no more than that.
 */

/* NaN: a size has no time, a call on more elements took no longer, or did not iterate more. */
double		 steady_of(const struct launch_row *);

/*
 * Sets base and steady of each row of a level, when all rows are there and have one unit.  A level
 * without smaller sizes has long calls: its steady time is its value.
 */
enum status	 steady_fill(struct launch_rows *, struct fault *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_CURVE_H
#define ASSAY_DAEMON_UPKEEP_CURVE_H

#include "daemon/upkeep/knee.h"
#include "proto/base/fault.h"

/*
 * The times of one kernel after flush passes of growing size, one timing at a time.  Pure.
 *
 * First the sizes grow until the knee is found or there is no larger size.  If a size cannot be had
 * (memory), growing ends; the sizes before count if there are enough.  Then all sizes are timed
 * again, in rounds: a host that is busy for a second slows some sizes, but hardly the same ones
 * each time.  Disturbances only add time, so a size's time is the least of its medians.
 */
struct curve {
	uint64_t		 cache_bytes;	/* of the cache that is flushed */
	/* the next larger cache; 0: there is none, the sizes are those of the last */
	uint64_t		 next_bytes;
	uint64_t		 most_bytes;	/* of a size */
	struct knee_point	 point[KNEE_MAX_POINTS];
	int64_t			 job[KNEE_MAX_POINTS];	/* of each point's time */
	size_t			 points;
	size_t			 step;		/* timings so far */
	size_t			 grown;		/* timings until the last size; 0: still growing */
	bool			 at_limit;	/* no memory for a larger size */
};

/* Timings of each size. */
enum { CURVE_ROUNDS_LAST = 5, CURVE_ROUNDS_INNER = 3 };

void		 curve_begin(struct curve *, uint64_t cache_bytes, uint64_t next_bytes,
		    uint64_t most_bytes);
uint64_t	 curve_next_bytes(const struct curve *);	/* of the next timing */
/*
 * The next timing's time; 0: this size cannot be had.  *more: another one is needed.  ST_INTERNAL:
 * there are too few sizes.
 */
enum status	 curve_take(struct curve *, int64_t job, double time_ns, bool *more,
		    struct fault *);

#endif

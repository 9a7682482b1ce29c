/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_USAGE_HISTOGRAM_H
#define ASSAY_DAEMON_USAGE_HISTOGRAM_H

#include <stdint.h>

#include <event2/buffer.h>

/*
 * Counts by size in fixed buckets, as Prometheus has them: a bucket has what is not above its
 * bound, and each has those of the buckets below it.  All 0: empty.
 */
enum { HISTOGRAM_MAX_BOUNDS = 16 };

struct histogram {
	uint64_t	 counts[HISTOGRAM_MAX_BOUNDS + 1];	/* the last: above all bounds */
	double		 sum;
};

/* Bounds of a set of histograms, ascending. */
struct histogram_bounds {
	unsigned	 n;
	double		 at[HISTOGRAM_MAX_BOUNDS];
};

/* Less than 0, and NaN, count as 0. */
void		 histogram_add(struct histogram *, const struct histogram_bounds *, double value);
/* Lines NAME_bucket, NAME_sum, NAME_count, without HELP and TYPE. */
void		 histogram_put(const struct histogram *, const struct histogram_bounds *,
		    const char *name, struct evbuffer *);

#endif

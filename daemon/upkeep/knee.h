/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_KNEE_H
#define ASSAY_DAEMON_UPKEEP_KNEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The size that a flush area needs: Whaley and Castaldo (section 3) enlarge it until the time stops
 * rising.  Pure.
 *
 * Times are medians of noisy samples.  A point counts by the median of itself and its neighbours,
 * and a drop from one point to the next is levelled (proto/base/monotone.h).  So no single point
 * can make or hide a knee.
 */
struct knee_point {
	uint64_t	bytes;
	double		time_ns;
};

enum knee_kind {
	KNEE_NONE,			/* too few points */
	KNEE_FLAT,			/* flushing costs nothing here: all sizes are alike */
	KNEE_RISING,	/* rises by more than KNEE_RISE over the last KNEE_POINTS sizes */
	KNEE_FOUND,
	KNEE_NKINDS
};

struct knee {
	enum knee_kind	 kind;
	size_t		 at;	/* FOUND: start of the plateau; RISING: the last point */
	double		 base_ns, plateau_ns;	/* least and final time; not with NONE */
};

#define KNEE_SLACK	0.05	/* times within this share of the plateau belong to it */
#define KNEE_RISE	0.10			/* least rise from base to plateau, relative */
enum {
	KNEE_POINTS	= 4,			/* at least */
	KNEE_MAX_POINTS	= 32,
	KNEE_CACHES	= 6,			/* sizes to try, in units of the largest cache */
};

/* Points in ascending order of bytes, at most KNEE_MAX_POINTS. */
void		 knee_find(struct knee *, const struct knee_point *, size_t n);

/*
 * The position of a time between warm and cold: 0 at the base, 1 on the plateau; may lie outside; 0
 * if FLAT.
 */
double		 knee_coldness(const struct knee *, double time_ns);
const char	*knee_name(enum knee_kind);	/* "none", "flat", "rising", "found" */

/*
 * The i-th size to try, for a largest cache of cache_bytes: from an eighth of it to 16 times, none
 * above most_bytes.  0: there are no more.
 */
uint64_t	 knee_size(uint64_t cache_bytes, uint64_t most_bytes, size_t i);
/*
 * The same for a cache below a next larger one: from a quarter of it to 16 times, none above half
 * of the next.  There the operands are in the next cache, and stay there.
 */
uint64_t	 knee_inner_size(uint64_t cache_bytes, uint64_t next_bytes, size_t i);
/*
 * No larger size is needed: the knee is found, and KNEE_CACHES times the largest cache was tried.
 */
bool		 knee_is_settled(const struct knee *, uint64_t cache_bytes, uint64_t last_bytes);

/*
 * Size × associativity for a cache of at most 4 ways, the paper's rule of thumb; 0 for other
 * caches, which need nothing.
 */
uint64_t	 knee_least_bytes(uint64_t cache_bytes, int ways);

#endif

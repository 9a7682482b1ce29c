/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_KNEE_H
#define ASSAY_DAEMON_UPKEEP_KNEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How large a flush area must be: Whaley and Castaldo (section 3) go on enlarging it until the time
 * stops rising.  Pure.  Times are medians of noisy samples: a point counts by the median of itself
 * and its neighbours, and what falls between two of them is levelled (proto/base/monotone.h), so
 * that no single one can make or hide a knee.
 */
struct knee_point {
	uint64_t	bytes;
	double		time_ns;
};

enum knee_kind {
	KNEE_NONE,			/* too few points */
	KNEE_FLAT,			/* flushing costs nothing here: no size is better than
					 * another */
	KNEE_RISING,			/* rises by more than KNEE_RISE over the last KNEE_POINTS
					 * sizes */
	KNEE_FOUND,
	KNEE_NKINDS
};

struct knee {
	enum knee_kind	 kind;
	size_t		 at;			/* FOUND: where the plateau begins; RISING: the last */
	double		 base_ns, plateau_ns;	/* least and final time; not with NONE */
};

#define KNEE_SLACK	0.05			/* a time that lacks so much of the plateau's is the plateau's */
#define KNEE_RISE	0.10			/* a plateau that is not so much above the base is none */
enum {
	KNEE_POINTS	= 4,			/* at least */
	KNEE_MAX_POINTS	= 32,
	KNEE_CACHES	= 6,			/* nothing is settled before so many times the
						 * largest cache */
};

/* Points in ascending order of bytes, at most KNEE_MAX_POINTS. */
void		 knee_find(struct knee *, const struct knee_point *, size_t n);

/*
 * How much of the way from warm to cold a time is: 0 at the base, 1 on the plateau; may lie
 * outside; 0 when FLAT.
 */
double		 knee_coldness(const struct knee *, double time_ns);
const char	*knee_name(enum knee_kind);	/* "none", "flat", "rising", "found" */

/*
 * Sizes to try, one after the other, for a largest cache of cache_bytes: from an eighth of it to 16
 * times, none above most_bytes. 0: there are no more.
 */
uint64_t	 knee_size(uint64_t cache_bytes, uint64_t most_bytes, size_t i);
/*
 * Larger sizes would tell nothing new: the knee is found, and KNEE_CACHES times the largest cache
 * is tried.
 */
bool		 knee_is_settled(const struct knee *, uint64_t cache_bytes, uint64_t last_bytes);

/*
 * Size × associativity for a cache of at most 4 ways, the paper's rule of thumb; 0 for others: it
 * asks for nothing.
 */
uint64_t	 knee_least_bytes(uint64_t cache_bytes, int ways);

#endif

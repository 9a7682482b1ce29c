/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_SOLVE_H
#define ASSAY_CLIENT_SEARCH_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which flush size makes a routine take a given time?  The more is flushed, the longer it takes,
 * but for noise.  So what was measured is made monotone first (proto/base/monotone.h), and the next
 * size lies between the two around the time asked for.  Pure: the caller measures, in the order of
 * solve_next.
 *
 *	solve_init(&s, target_ns, 0.03, most_bytes, 16);
 *	while (solve_next(&s, &bytes))
 *		solve_add(&s, bytes, time_of(bytes));
 */
enum solve_end {
	SOLVE_GOES_ON,
	SOLVE_HIT,		/* a size was measured twice, or more often if the two differ, and
				 * the median is within the band */
	SOLVE_CLOSEST,		/* evaluations are used up, or the time jumps past the target */
	SOLVE_BELOW_WARM,	/* less than the routine takes with everything in cache */
	SOLVE_ABOVE_COLD,	/* more than it takes after the largest flush */
	SOLVE_FLAT,		/* with everything cold it takes as long as warm */
	SOLVE_NENDS
};

enum { SOLVE_MAX_EVALUATIONS = 128, SOLVE_GRAIN_BYTES = 4096, SOLVE_KEPT = 5 };

struct solve_point {
	uint64_t	bytes;		/* flushed; 0: warm */
	double		time_ns;	/* the median of the last SOLVE_KEPT times */
	double		times;		/* how many there were */
	double		kept_ns[SOLVE_KEPT];
};

struct solve {
	double			 target_ns, band;	/* band: relative to the target */
	uint64_t		 most_bytes;
	unsigned		 left;			/* evaluations */
	struct solve_point	 point[SOLVE_MAX_EVALUATIONS + 2];	/* ascending */
	size_t			 n;
	enum solve_end		 end;
	size_t			 best;		/* in point[]: the nearest, once it has ended */
};

/* evaluations: 2 … SOLVE_MAX_EVALUATIONS; most_bytes: several grains. */
void		 solve_init(struct solve *, double target_ns, double band, uint64_t most_bytes,
		    unsigned evaluations);
/* The same routine, another time: what was measured stays known. */
void		 solve_again(struct solve *, double target_ns, unsigned evaluations);
bool		 solve_next(struct solve *, uint64_t *bytes);	/* false: it has ended */
void		 solve_add(struct solve *, uint64_t bytes, double time_ns);

/* Of the best from the target, relative; < 0: shorter. */
double		 solve_difference(const struct solve *);
/* "hit", "closest", "below_warm", "above_cold", "flat" */
const char	*solve_end_name(enum solve_end);

#endif

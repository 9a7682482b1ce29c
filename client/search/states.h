/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STATES_H
#define ASSAY_CLIENT_SEARCH_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/search/solve.h"

/*
 * In which caches must the operands be for a routine to take a given time?  Each operand has a
 * level.  A state is timed right after the warm one, and what counts is the ratio of the two, so
 * a host that becomes slower during the search does not mislead it.
 *
 * The order, which ends as soon as a state hits the time twice:
 *	1. warm, and everything cold: the ends; if they are alike, no state matters here
 *	2. all operands at one level, clean
 *	3. a single operand at each of its levels, the largest operand first
 *	4. combinations, in the order of their times as the single operands foretell them
 * Pure: the caller times, in the order of states_next.
 *
 *	states_init(&s, operand, n);
 *	states_seek(&s, target_ns, 0.03, 40);
 *	while (states_next(&s, &point))
 *		states_add(&s, &point, time_of(warm), time_of(point));
 */
enum state_level {
	LEVEL_WARM,		/* as the call before left it */
	LEVEL_WARM_DIRTY,	/* so, but just written */
	LEVEL_L1,
	LEVEL_L2,
	LEVEL_L3,
	LEVEL_L3_DIRTY,
	LEVEL_MEMORY,
	LEVEL_N
};

enum { STATES_OPERANDS = 5, STATES_POINTS = SOLVE_MAX_EVALUATIONS, STATES_WARM_TIMES = 128 };

struct states_operand {
	const char	*name;		/* borrowed; for as long as the search */
	uint64_t	 bytes;
	unsigned	 may;		/* bits of enum state_level; LEVEL_WARM is always one */
};

struct states_point {
	unsigned char	level[STATES_OPERANDS];
	bool		is_cold;	/* the cold context: operands that are not searched, too */
	double		ratio;		/* to warm, the mean of the times added */
	double		times;		/* how many there were */
};

struct states {
	struct states_operand	 operand[STATES_OPERANDS];	/* the largest first */
	size_t			 noperands;
	double			 target_ns, band;		/* band: relative to the target */
	unsigned		 left;				/* timings, also of the warm one */
	double			 warm_ns[STATES_WARM_TIMES];
	size_t			 nwarm;
	struct states_point	 point[STATES_POINTS];		/* the first: warm */
	size_t			 n;
	enum solve_end		 end;
	size_t			 best;		/* in point[]: the nearest, once it has ended */
};

/* The largest STATES_OPERANDS of them are searched, in the order of their sizes. */
void		 states_init(struct states *, const struct states_operand *, size_t n);
/* A time; what was measured for another one stays known. */
void		 states_seek(struct states *, double target_ns, double band, unsigned timings);
bool		 states_next(struct states *, struct states_point *);	/* false: it has ended */
/* For the warm point itself the two times are the same one. */
void		 states_add(struct states *, const struct states_point *, double warm_ns,
		    double time_ns);

bool		 states_is_warm(const struct states_point *);
/* Its place in point[], where levels and coldness are the same; n: it was not timed. */
size_t		 states_find(const struct states *, const struct states_point *);
double		 states_warm_ns(const struct states *);		/* the median of all */
double		 states_time_ns(const struct states *, const struct states_point *);
double		 states_difference(const struct states *);	/* of the best, relative */
/* Relative spread of the warm times: 1.4826 times their median deviation. */
double		 states_noise(const struct states *);
/* Everything cold takes as long as warm, within the band. */
bool		 states_is_flat(const struct states *);
/* How many other states that were timed are within the band of the target, too. */
size_t		 states_rivals(const struct states *);

#endif

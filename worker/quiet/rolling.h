/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_ROLLING_H
#define ASSAY_WORKER_QUIET_ROLLING_H

#include <stdint.h>

/*
 * A rolling quantile.  A drift is followed, a burst does not move it, and forged or unusual
 * readings are forgotten with the rest.  All 0 is one without readings.
 *
 * It may begin with a predecessor's base, which stands beside its own; the lower of both is the
 * base.  It stands for as many readings as the predecessor would have taken to forget it.
 */
enum { ROLLING_MOST = 1024 };
struct rolling_kept {
	uint32_t	 base;				/* 0: there is none */
	unsigned	 left;				/* readings more for which it stands */
};

struct rolling {
	unsigned	 readings, next;		/* number; index of the oldest, once full */
	uint32_t	 recent[ROLLING_MOST];		/* a ring */
	uint32_t	 sorted[ROLLING_MOST];		/* the same */
	struct rolling_kept kept;			/* from before */
};

/* room: how many are remembered, ROLLING_MOST at most, always the same for one. */
void		 rolling_see(struct rolling *, unsigned room, uint32_t reading);

/* The quantile 1/share of the remembered readings; 0: there is none. */
uint32_t	 rolling_base(const struct rolling *, unsigned share);

/*
 * For a successor: the base, and for how many more readings, all of them high, it would stay the
 * same up to a factor.  If its own and its predecessor's base are further apart, the base with more
 * readings to go.
 */
struct rolling_kept rolling_known(const struct rolling *, unsigned room, unsigned share,
		    double factor);
void		 rolling_keep(struct rolling *, struct rolling_kept);

#endif

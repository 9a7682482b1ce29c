/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_ROLLING_H
#define ASSAY_WORKER_ROLLING_H

#include <stdint.h>

/*
 * A rolling quantile.  A drift is followed, a burst does not move it, and what was forged or out of the ordinary is
 * forgotten with the rest.  All 0 is one without readings.
 */
enum { ROLLING_MOST = 1024 };
struct rolling {
	unsigned	 readings, next;		/* how many; the oldest once there are as many as fit */
	uint32_t	 recent[ROLLING_MOST];		/* a ring */
	uint32_t	 sorted[ROLLING_MOST];		/* the same */
};

/* room: how many are remembered, ROLLING_MOST at most, always the same for one. */
void		 rolling_see(struct rolling *, unsigned room, uint32_t reading);

/* The least but one part in `share` of those remembered; 0: there is none. */
uint32_t	 rolling_base(const struct rolling *, unsigned share);

#endif

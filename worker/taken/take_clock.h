/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKEN_TAKE_CLOCK_H
#define ASSAY_WORKER_TAKEN_TAKE_CLOCK_H

#include <stdint.h>

/* Time of day and waiting, for taking samples: a clock that a test moves can stand in. */
struct take_clock {
	uint64_t	 (*now_ns)(void *arg);
	void		 (*pause)(void *arg, uint64_t ns);
	void		*arg;			/* borrowed */
};

/* CLOCK_MONOTONIC, nanosleep. */
extern const struct take_clock	take_clock_real;

static inline uint64_t
take_now(const struct take_clock *c)
{
	return c->now_ns(c->arg);
}

static inline void
take_pause(const struct take_clock *c, uint64_t ns)
{
	c->pause(c->arg, ns);
}

#endif

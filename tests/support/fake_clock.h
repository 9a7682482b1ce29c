/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_FAKE_CLOCK_H
#define ASSAY_TESTS_SUPPORT_FAKE_CLOCK_H

#include "worker/taken/take_clock.h"

/*
 * Time that passes when a test says so.  A runner that is made of numbers begins with one, and
 * moves it on by what its samples take.
 */
struct fake_clock {
	uint64_t	 now_ns;
};

static inline uint64_t
fake_now(void *arg)
{
	return ((struct fake_clock *)arg)->now_ns;
}

static inline void
fake_pause(void *arg, uint64_t ns)
{
	((struct fake_clock *)arg)->now_ns += ns;
}

static inline struct take_clock
fake_take_clock(struct fake_clock *c)
{
	return (struct take_clock){ fake_now, fake_pause, c };
}

#endif

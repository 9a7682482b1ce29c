/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_GAUGE_H
#define ASSAY_WORKER_RUNNER_SAMPLE_GAUGE_H

#include "proto/wire/runner_shm.h"

#pragma GCC visibility push(hidden)

/*
 * How far away lines are, by the time that reading them takes.  Some clocks have steps of ten
 * nanoseconds: so up to RUNNER_CHAIN lines are read one after another, and many readings are
 * counted by length.  Pages are looked up before, by another line: a cold translation is no cold
 * line.
 */
enum { RT_GAUGE_STEP = 4 };	/* lines of which one is read: no prefetcher brings one with
				 * another */

/* Read a line, or RUNNER_CHAIN of them as a chain, and count the time; a secret for each. */
void		 rt_gauge_read(const char *const *at, unsigned lines, uint64_t secret,
    struct runner_lines *);

/* `chosen`: RUNNER_CHAIN of `slots` numbers (RT_GAUGE_SLOTS at most) at random, in no order. */
enum { RT_GAUGE_SLOTS = 8 };
void		 rt_gauge_choose(uint64_t secret, unsigned slots, unsigned chosen[RUNNER_CHAIN]);

/* The bin of a reading, and the least reading of a bin. */
unsigned	 rt_gauge_bin(uint32_t ticks);
uint32_t	 rt_gauge_least(unsigned bin);

#pragma GCC visibility pop
#endif

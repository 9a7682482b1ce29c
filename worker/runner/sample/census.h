/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_CENSUS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_CENSUS_H

#include "proto/wire/runner_shm.h"

#pragma GCC visibility push(hidden)

/*
 * Add to `c` the numbers among `count` elements at `at`, every stride-th of them, by what
 * arithmetic on them is like: many machines handle infinities, NaN and denormal numbers a hundred
 * times slower than others (Whaley and Castaldo, section 5.2).  Type as in rt_operand; parts of
 * complex numbers count apart, and what is not floating is not counted.
 */
void		 rt_census(char type_class, uint32_t bytes, const void *at, uint64_t count,
		    uint64_t stride, struct runner_census *c);

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_READING_H
#define ASSAY_TESTS_SUPPORT_READING_H

#include "proto/wire/runner_shm.h"

/* A sample of which only the canaries before and after it are known, and the paces beside them. */
#define READING(before, after, before_pace, after_pace)						\
	(struct runner_sample){ .canary_before = (uint32_t)(before),				\
	    .canary_after = (uint32_t)(after), .pace_before = (uint32_t)(before_pace),		\
	    .pace_after = (uint32_t)(after_pace) }

#endif

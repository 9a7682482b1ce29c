/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RT_ALONE_MEASURE_H
#define RT_ALONE_MEASURE_H

#include "worker/runner/alone/memory.h"

/* Nanoseconds of a call. */
struct measured {
	double		min_ns, median_ns;
	uint64_t	samples, calls;		/* calls: of a sample */
	uint64_t	flushed_lines;		/* before each sample */
};

/* NULL, or why this machine has not the driver's clock. */
const char	*measure_clock(void);

/* NULL, or why not. */
const char	*measure(struct memory *, rt_code *, struct measured *);
#endif

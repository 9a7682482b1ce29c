/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_OVERRUN_H
#define ASSAY_WORKER_BENCH_OVERRUN_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/wire/runner_shm.h"

/*
 * The operand that a routine ran out of.  The touched address is a claim of the process that died;
 * it only ever chooses words.  Pure.
 */
struct overrun {
	int			 operand;	/* in the order of the prototype; -1: none */
	bool			 in_front;	/* before its first byte, not behind its last */
	enum runner_access	 access;
};

/* The operand whose end is nearest, if the address is within reach of it. */
struct overrun	 overrun_find(const struct runner_bounds *, size_t n, const struct runner_touch *);

/* "read beyond the end of operand" */
const char	*overrun_words(const struct overrun *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_LINES_H
#define ASSAY_WORKER_RUNNER_METHOD_LINES_H

#include "worker/runner/sample/sets.h"

#pragma GCC visibility push(hidden)

/*
 * The lines of an operand that a call touches, numbered from 0: at home, or in the set of an entry
 * of a walk.  Pieces in one line count once each, so the number is never too small.
 */
uint64_t	 rt_lines(const struct rt_live *, const uint32_t *walk, uint32_t line_bytes);
const char	*rt_line(const struct rt_live *, const uint32_t *walk, uint32_t line_bytes,
		    uint64_t n);

#pragma GCC visibility pop
#endif

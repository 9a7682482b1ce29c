/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_CODE_LINES_H
#define ASSAY_WORKER_RUNNER_SAMPLE_CODE_LINES_H

#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/rt.h"

#pragma GCC visibility push(hidden)

/*
 * The lines of a routine's code: every executable mapping of the object that has it, as loaded.
 * Other objects that it calls (libm, libc) are not among them.
 */
enum { RT_CODE_SPANS = 8 };

struct rt_code_lines {
	unsigned	 n;
	struct rt_range	 span[RT_CODE_SPANS];	/* one piece each; not more than there is room */
};

/* Those of the loaded object that has this routine; none if no object has it. */
void		 rt_code_lines_find(struct rt_code_lines *, rt_code *);

/* One more, for code that no linker loaded. */
void		 rt_code_lines_add(struct rt_code_lines *, const void *at, uint64_t bytes);

uint64_t	 rt_code_lines_count(const struct rt_code_lines *, uint32_t line_bytes);

/* The n-th line, below the count. */
const char	*rt_code_lines_at(const struct rt_code_lines *, uint64_t n, uint32_t line_bytes);

/*
 * All of them leave every cache, those of instructions too.  What a core has learnt of its branches
 * stays: nothing that a program may do removes that.
 */
void		 rt_code_lines_flush(const struct rt_code_lines *, uint32_t line_bytes);

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_RESTORE_H
#define ASSAY_WORKER_RUNNER_SAMPLE_RESTORE_H

#include "worker/runner/sample/sets.h"

#pragma GCC visibility push(hidden)

/*
 * Operands as at first.
 *
 * In a child, once: every page of the home set, or of the far sets, is in memory.  If it may be
 * written, it is the child's own (Page0Guard, section 5.3).  The home set's are brought in before,
 * while the child may still do that (worker/runner/filter.h).
 */
void		 rt_sets_bring_in(const struct rt_sets *);
void		 rt_sets_enter(struct rt_sets *);
void		 rt_sets_enter_far(struct rt_sets *);

/* At home: all that are a child's own, or only the ones that a call reads and writes. */
void		 rt_sets_restore(struct rt_sets *);
void		 rt_sets_restore_inout(struct rt_sets *);

/* In the sets of `calls` entries of a walk: the ones that are read as well. */
void		 rt_sets_restore_far(struct rt_sets *, const uint32_t *walk, uint64_t calls);

#pragma GCC visibility pop
#endif

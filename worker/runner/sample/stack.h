/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_STACK_H
#define ASSAY_WORKER_RUNNER_SAMPLE_STACK_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { RT_STACK_PAGE = 4096, RT_STACK_STEP = 16 };

/*
 * Call fn(arg) with the stack at a chosen place.  The distance from its frame up to the next page's
 * beginning grows with `offset`, a multiple of RT_STACK_STEP below RT_STACK_PAGE.  The same offset
 * gives the same distance, for any environment and any stack that the kernel chose.  (Mytkowicz and
 * others, "Producing wrong data without doing anything obviously wrong!", section 4.1.)
 */
void		 rt_stack_at(uint32_t offset, void (*fn)(void *), void *arg);

#pragma GCC visibility pop
#endif

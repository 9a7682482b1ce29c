/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_FILL_H
#define ASSAY_WORKER_RUNNER_SAMPLE_FILL_H

#include <stdint.h>

#include "worker/runner/sample/rt.h"
#include "worker/runner/sample/stream.h"

#pragma GCC visibility push(hidden)

/*
 * Write an operand's first contents to `at`, all rt_count elements.  Random data comes from a
 * counter: element i, before they are put in order, depends on the seed and i alone.  So the same
 * seed gives the same bytes on every machine.
 */
void		 rt_fill(const struct rt_operand *, void *at);

/*
 * The same elements with their signs turned round, where the type has signs: `from` is what rt_fill
 * wrote.
 */
void		 rt_fill_negated(const struct rt_operand *, void *at, const void *from);

/*
 * The same from a stream with a second key: one who has read some elements and knows the generator
 * cannot tell the others.  secret: not 0.
 */
void		 rt_fill_secret(const struct rt_operand *, uint64_t secret, void *at);

/* Other seeds make other contents. */
int		 rt_is_random(const struct rt_operand *);

#pragma GCC visibility pop
#endif

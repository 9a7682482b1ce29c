/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_INPUTS_H
#define ASSAY_WORKER_RUNNER_SAMPLE_INPUTS_H

#include "worker/runner/sample/sets.h"

#pragma GCC visibility push(hidden)

/*
 * Inputs that take turns, so that no branch predictor learns one by heart.  Input 0 of an operand
 * is the given one, which the spec describes.  The others are drawn from the same distribution with
 * other seeds, or are further slices of given data.
 *
 * Operands that are only read have their first contents at home, in pages that children share.  A
 * drawn input goes into memory of the child's own, which takes the home's place in an order.
 */
int		 rt_inputs_vary(const struct rt_operand *);	/* it has others than the given */

/* Write input n, negated copy included. */
void		 rt_inputs_put(const struct rt_live *, uint64_t n, char *to);

/*
 * In a child, around the samples of an order that draws inputs at home: the places of operands that
 * it draws.  They hold the given input when it begins.
 */
void		 rt_inputs_enter(struct rt_sets *, const struct runner_run *);
void		 rt_inputs_leave(struct rt_sets *, const struct runner_run *);

/* Before the region whose first input is the order's n-th: at home, or in the sets of a walk. */
void		 rt_inputs_draw(const struct rt_sets *, const struct runner_run *,
		    const uint32_t *walk, uint64_t n);

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_AWAKE_H
#define ASSAY_WORKER_RUNNER_METHOD_AWAKE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Calls on operands that nothing else uses, until the core's vector units are at full speed.  Some
 * cores let them sleep after less than a millisecond without such work, which a flush may take.
 * They then halve their speed for the first 20 µs.
 *
 * 0: no memory for the operands.
 */
int		 rt_awake_ready(struct rt_timer *);
void		 rt_awake(struct rt_timer *, rt_code *);

/* Before an order's first sample: unless the routine has left the core awake just now. */
void		 rt_awake_anew(struct rt_timer *, rt_code *);
void		 rt_awake_left(struct rt_timer *);	/* it has */

#pragma GCC visibility pop
#endif

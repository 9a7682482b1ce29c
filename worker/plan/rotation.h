/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_ROTATION_H
#define ASSAY_WORKER_PLAN_ROTATION_H

#include "worker/plan/method.h"

/*
 * Inputs that take turns.  Called again and again on one input, a core learns thousands of branches
 * by heart.  So each call of a sample meets another input than the calls before it.
 *
 *	cold, one call a sample		drawn at home, before the flush.
 *	MultiCallFlushLRU		the working sets have different contents.
 *	warm, from ROTATION_CALL_NS	one call a sample, drawn at home before it.
 *	warm, shorter			a stroll: each call on a set of its own, all in the cache
 *					that holds one, drawn before the sample.
 */
#define ROTATION_CALL_NS	1000.0

/* Which operands have other inputs, how many, and the sets of a stroll. */
void		 rotation_read(struct plan *, const struct plan_wants *);

/*
 * Samples are on inputs that take turns from now on.  ST_BAD_SPEC, and the plan as it was: a
 * sample's calls would need too much memory.
 */
enum status	 rotation_begin(struct plan *, const struct spec *, const struct slot *,
		    struct fault *);

bool		 rotation_is_on(const struct plan *);

/* Could one input be learnt by heart, so that other inputs would take longer? */
bool		 rotation_may_matter(const struct plan *);

/* A call takes so long: the calls of a sample are chosen from. */
void		 rotation_know_call(struct plan *, double call_ns);

/* Different inputs that `samples` samples met. */
uint64_t	 rotation_inputs(const struct plan *, uint64_t samples);

/*
 * A plan like this one, whose samples are drawn but all on the given input, to find what novelty
 * costs: only `data` is to be changed.  Calls of multi-call methods are in the cache, too.
 */
struct plan	 rotation_probe(const struct plan *, double call_ns);

#endif

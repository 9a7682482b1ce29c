/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_CHAIN_H
#define ASSAY_TESTS_SUPPORT_CHAIN_H

#include "worker/stop/looks.h"
#include "worker/take/take.h"
#include "worker/trial/pipeline.h"

/*
 * The chain of an order as a trial builds it (worker/trial/pipeline.h), with ends of a test's own:
 * runners that are made of numbers, or samples that were recorded.
 */
struct chain {
	struct pipeline	 pipeline;
	struct looks	 looks;
};

static inline struct link
chain_end(enum status (*run)(void *arg, const struct runner_run *, struct bench_reply *), void *arg)
{
	return (struct link){ run, arg };
}

/* For a job; `against`: the end of the other lane, of a comparison. */
static inline void
chain_build(struct chain *c, const struct job *job, struct link variant,
    struct link against)
{
	const struct link	end[PAIRS_SIDES] = { variant, against };

	pipeline_build(&c->pipeline, end, job);
}

/* What samples of that job are taken with, by this plan; the rest is the test's. */
static inline struct take_setting
chain_setting(struct chain *c, const struct job *job, const struct plan *plan,
    const struct take_clock *clock, const struct tick *tick, struct gate *gate)
{
	struct take_setting	with = { .orders = c->pipeline.orders,
	    .samples = c->pipeline.samples,
				    .clock = clock, .tick = tick, .gate = gate,
				    .deadline_ns = UINT64_MAX };

	if (job->against.source != NULL) {
		looks_begin(&c->looks, &job->contest, &c->pipeline.pairs, plan, clock);
		with.rule = looks_rule(&c->looks);
	}
	return with;
}

#endif

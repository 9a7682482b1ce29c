/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_LINK_H
#define ASSAY_WORKER_CHAIN_LINK_H

#include "worker/bench/bench.h"

/*
 * One link of the chain that an order goes through, from the decision to the runner;
 * worker/trial/pipeline.h has the whole.  A link carries the order out by giving it, or others in
 * its place, to the next.  The reply's status is returned; not ok: the reply has the words.
 *
 * At its end the chain may have a bench, or samples that were recorded.
 */
struct link {
	enum status	 (*run)(void *arg, const struct runner_run *, struct bench_reply *);
	void		*arg;			/* borrowed */
};

static inline enum status
link_run(const struct link *l, const struct runner_run *run, struct bench_reply *reply)
{
	return l->run(l->arg, run, reply);
}

#endif

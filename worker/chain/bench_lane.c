/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/chain/bench_lane.h"

static enum status
run_on_lane(void *arg, const struct runner_run *run, struct bench_reply *reply)
{
	const struct bench_lane	*l = arg;

	return bench_run(l->bench, l->lane, run, *l->deadline_ns, reply);
}

struct link
bench_lane_link(struct bench_lane *l)
{
	return (struct link){ run_on_lane, l };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One order, as the plan has it. */
#include "worker/chain/join.h"
#include "worker/take/take_parts.h"

#define PAUSE_AFTER_NS	10000000u

/* Since the last reply the child has slept, or others were loaded: as good as a pause. */
static void
see_idle(struct taking *t)
{
	const uint64_t	since_ns = take_now(t->with->clock) - t->replied_ns;
	const uint64_t	idle_ns = since_ns > RUNNER_SPIN_NS ? since_ns - RUNNER_SPIN_NS : 0;

	if (t->replied_ns != 0)
		t->fifo_ns -= idle_ns < t->fifo_ns / 9 ? 9 * idle_ns : t->fifo_ns;
}

/*
 * The throttle counts a CPU's time in real-time tasks in a second, with the wait for the next
 * order.  A tenth of pauses keeps well below it.
 */
static void
pause_for_throttle(struct taking *t)
{
	t->replied_ns = take_now(t->with->clock);
	if (t->reply->realtime)
		t->fifo_ns += t->reply->took_ns + RUNNER_SPIN_NS;
	if (t->fifo_ns < PAUSE_AFTER_NS)
		return;
	take_pause(t->with->clock, t->fifo_ns / 9);
	t->replied_ns = take_now(t->with->clock);
	t->fifo_ns = 0;
}

static void
see_cost(struct taking *t)
{
	t->cost_ns = t->reply->took_ns / t->reply->samples + 1;
	if (t->least_cost_ns == 0 || t->cost_ns < t->least_cost_ns)
		t->least_cost_ns = t->cost_ns;
}

static void
show_gate(const struct taking *t)
{
	struct gate	*g = t->with->gate;

	if (g == NULL)
		return;
	gate_order(g, take_now(t->with->clock));
	for (uint32_t i = 0; i < t->reply->samples; i++)
		gate_see(g, i, &t->reply->sample[i]);
}

/* A sample by difference is made of a region and one of twice its calls. */
static uint64_t
inputs_of_sample(const struct taking *t, const struct runner_run *order)
{
	return order->data == RUNNER_GIVEN ? 0 :
	    runner_region_inputs(order) * (t->plan->difference ? 3 : 1);
}

enum status
take_order(struct taking *t, const struct link *to, enum runner_kind kind, uint64_t calls,
    uint32_t samples)
{
	struct runner_run	order = t->plan->run;
	enum status		 st;

	order.kind = kind;
	order.calls = calls;
	order.samples = samples;
	order.realtime = t->cost_ns != 0 && t->cost_ns <= TAKE_FIFO_NS;
	order.warm_calls = t->cost_ns <= TAKE_BATCH_NS ? t->plan->run.warm_calls : 0;
	if (kind == RUNNER_EMPTY) {
		order.flush = RUNNER_FLUSH_NONE;
		order.restore = RUNNER_KEEP;
		order.pollute = order.look_up = order.awake = order.memory_canary = 0;
		order.data = RUNNER_GIVEN;
	}
	order.proves = to == &t->with->samples && kind == RUNNER_SAMPLE &&
	    t->take->processes % TAKE_PROOF_EVERY == 1;
	order.passes = t->passes;
	t->passes = 0;
	t->walked += kind == RUNNER_SAMPLE ? samples * calls : 0;
	order.input = t->input;
	t->input += samples * inputs_of_sample(t, &order);
	see_idle(t);
	if ((st = link_run(to, &order, t->reply)) != ST_OK)
		return st;
	if (order.proves)
		join_proofs(&t->take->proof, &t->reply->proof);
	show_gate(t);
	if (kind == RUNNER_SAMPLE && t->reply->samples > 0)
		see_cost(t);
	pause_for_throttle(t);
	return ST_OK;
}

/* Samples that the next order may ask for; 0: the wall limit leaves no time for another. */
uint32_t
take_batch_size(const struct taking *t, size_t missing)
{
	const uint64_t	now = take_now(t->with->clock), deadline = t->with->deadline_ns;
	const uint64_t	cost = t->cost_ns != 0 ? t->cost_ns : 1;
	uint64_t	left = now < deadline ? deadline - now : 0, n = TAKE_BATCH_NS / cost;

	n = n == 0 ? 1 : n;
	n = n > RUNNER_SAMPLES ? RUNNER_SAMPLES : n;
	n = n > missing ? missing : n;
	/* two less: for the last check, and because no estimate is exact */
	left = left > 2 * cost ? left - 2 * cost : 0;
	if (n > left / cost)
		n = left / cost;
	return (uint32_t)n;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/take/doubling.h"
#include "worker/take/memory_canary.h"
#include "worker/take/pace.h"
#include "worker/take/take_parts.h"

#define PAUSE_AFTER_NS	10000000u
#define LEAST_CLEAN	3u

/*
 * The throttle counts what a CPU spends on real-time tasks in a second, waiting for the next order included; a tenth of
 * pauses keeps well below it.
 */
static void
pause_for_throttle(struct taking *t)
{
	if (t->reply->realtime)
		t->fifo_ns += t->reply->took_ns + RUNNER_SPIN_NS;
	if (t->fifo_ns < PAUSE_AFTER_NS)
		return;
	t->runner->pause(t->runner->arg, t->fifo_ns / 9);
	t->fifo_ns = 0;
}

enum status
take_run(struct taking *t, enum runner_kind kind, uint64_t calls, uint32_t samples)
{
	struct runner_run	order = t->plan->run;
	enum status		st;

	order.kind = kind;
	order.calls = calls;
	order.samples = samples;
	order.realtime = t->cost_ns != 0 && t->cost_ns <= TAKE_FIFO_NS;
	order.warm_calls = t->cost_ns <= TAKE_BATCH_NS;
	if (kind == RUNNER_EMPTY) {
		order.flush = RUNNER_FLUSH_NONE;
		order.restore = RUNNER_KEEP;
		order.pollute = order.look_up = order.awake = order.memory_canary = 0;
	}
	if (t->pairs != NULL && kind == RUNNER_SAMPLE)
		st = doubling_run(t->pairs, &order, t->reply);
	else
		st = t->runner->run(t->runner->arg, &order, t->reply);
	if (st != ST_OK)
		return st;
	if (t->runner->gate != NULL)
		gate_order(t->runner->gate, t->runner->now_ns(t->runner->arg));
	for (uint32_t i = 0; t->runner->gate != NULL && i < t->reply->samples; i++)
		gate_see(t->runner->gate, i, &t->reply->sample[i]);
	if (kind == RUNNER_SAMPLE && t->reply->samples > 0)
		t->cost_ns = t->reply->took_ns / t->reply->samples + 1;
	pause_for_throttle(t);
	return ST_OK;
}

/* All of them, again: a reading may have lowered the base, a sample the number of faults that are the routine's own. */
static void
mark(struct taking *t)
{
	struct take	*k = t->take;

	k->disturbed = k->taken - (unsigned)take_mark(k->sample, k->samples, &k->own_faults);
	k->clean = k->loud = k->rejected = t->unquiet = 0;
	k->memory_loud = k->memory_off == NULL ? 0 : k->memory_loud;
	for (size_t i = 0; i < k->samples; i++) {
		struct take_sample	*s = &k->sample[i];

		s->loud = t->judged && !gate_is_quiet(t->runner->gate, &s->raw);
		s->memory_loud = k->memory_off == NULL &&
		    !memory_gate_is_quiet(&t->runner->gate->memory, s->raw.memory_canary);
		k->loud += s->loud;
		k->memory_loud += s->memory_loud;
		k->rejected += s->disturbed || s->loud || s->memory_loud;
		k->clean += take_counts(k, s);
		t->unquiet += take_is_unquiet(k, s);
	}
}

static void
add_samples(struct taking *t)
{
	struct take	*k = t->take;

	for (uint32_t i = 0; i < t->reply->samples && k->samples < t->room; i++) {
		const struct runner_sample	*from = &t->reply->sample[i];

		k->sample[k->samples] = (struct take_sample){
			.raw = *from, .place = (unsigned)k->samples,
			.against_ticks = t->reply->is_paired ? t->reply->against_ticks[i] : 0,
		};
		k->samples++;
		k->faults += from->faults;
		k->switches += from->switches;
		k->migrations += from->migrations;
	}
	k->taken = (unsigned)k->samples;
	k->realtime = t->reply->realtime;
	k->pinned = t->reply->pinned;
}

/* How many samples the next order may ask for; 0: the wall limit leaves no time for another. */
static uint32_t
batch_size(const struct taking *t, size_t missing)
{
	uint64_t	now = t->runner->now_ns(t->runner->arg), cost = t->cost_ns != 0 ? t->cost_ns : 1;
	uint64_t	left = now < t->deadline_ns ? t->deadline_ns - now : 0, n = TAKE_BATCH_NS / cost;

	n = n == 0 ? 1 : n;
	n = n > RUNNER_SAMPLES ? RUNNER_SAMPLES : n;
	n = n > missing ? missing : n;
	left = left > 2 * cost ? left - 2 * cost : 0;	/* for the last check, and because no estimate is exact */
	if (n > left / cost)
		n = left / cost;
	return (uint32_t)n;
}

/* After a loud sample: what made it so may soon be over, so look often and with little. */
static void
nap(struct taking *t)
{
	const struct take_runner	*r = t->runner;
	struct take			*k = t->take;
	uint64_t			 began = r->now_ns(r->arg);

	if (!take_is_unquiet(k, &k->sample[k->samples - 1])) {
		t->burst = t->burst < RUNNER_SAMPLES ? 2 * t->burst : t->burst;
		t->naps = 0;
		return;
	}
	t->burst = TAKE_BURST;
	r->pause(r->arg, (uint64_t)TAKE_NAP_NS << t->naps);
	t->naps = t->naps < 2 ? t->naps + 1 : t->naps;
	k->waited_ns += r->now_ns(r->arg) - began;
	t->lost_ns += r->now_ns(r->arg) - began;
}

/* What the last order's samples took, as far as they do not count. */
static void
count_losses(struct taking *t, unsigned was_clean, unsigned was_unquiet)
{
	struct take	*k = t->take;
	unsigned	 new = t->reply->samples, good = k->clean > was_clean ? k->clean - was_clean : 0;
	unsigned	 loud = t->unquiet > was_unquiet ? t->unquiet - was_unquiet : 0;
	uint64_t	 each_ns = new > 0 ? t->reply->took_ns / new : 0;

	t->lost_ns += good < new ? each_ns * (new - good) : 0;
	k->waited_ns += each_ns * (loud < new ? loud : new);
}

/* One order's worth. */
static enum status
collect_some(struct taking *t)
{
	struct take	*k = t->take;
	unsigned	 missing = k->wanted - k->clean, was_clean = k->clean, was_unquiet = t->unquiet;
	uint32_t	 n = batch_size(t, missing < t->burst ? missing : t->burst);
	enum status	 st;

	if (n == 0 && k->samples > 0) {
		k->cut_short = true;
		return ST_OK;
	}
	if ((st = take_run(t, RUNNER_SAMPLE, t->plan->run.calls, n != 0 ? n : 1)) != ST_OK)
		return st;
	add_samples(t);
	mark(t);
	count_losses(t, was_clean, was_unquiet);
	if (k->clean < k->wanted)
		nap(t);
	return ST_OK;
}

static bool
is_out_of_patience(const struct take *k)
{
	uint64_t	patience_ns = k->memory_off == NULL ? k->memory_patience_ns : k->patience_ns;

	return k->canary_off == NULL && k->clean < k->wanted && k->waited_ns >= patience_ns;
}

static bool
may_go_on(const struct taking *t)
{
	const struct take	*k = t->take;

	return !k->cut_short && !is_out_of_patience(k) && k->samples < t->room &&
	    t->lost_ns - k->waited_ns < t->plan->budget_ns &&
	    k->disturbed < (size_t)k->wanted * TAKE_TIMES + TAKE_EXTRA;
}

static bool
is_due(struct taking *t)
{
	const struct take_runner	*r = t->runner;

	return r->is_due != NULL ? r->is_due(r->arg, t->take) :
	    stop_is_due(&t->stop, t->take, r->now_ns(r->arg), t->lost_ns);
}

/* Fewer than a third of those wanted, or than three: they cannot stand for the result. */
static bool
are_too_few(const struct take *k)
{
	unsigned	wanted = k->wanted < k->taken ? k->wanted : k->taken, need = (wanted + 2) / 3;

	need = need < LEAST_CLEAN ? LEAST_CLEAN : need;
	return k->clean < (need < wanted ? need : wanted);
}

/* What is clean can stand for the result.  A pair's halves were disturbed alike: rather a loud pair than none. */
static bool
is_enough(const struct taking *t)
{
	const struct take	*k = t->take;

	return t->reply->is_paired ? k->clean >= k->wanted : !are_too_few(k);
}

/* Waiting for the memory canary does not help: go on as if there were none. */
static void
give_up_memory(struct taking *t)
{
	struct take	*k = t->take;

	if (k->memory_off != NULL || k->memory_loud == 0 || is_enough(t))
		return;
	k->memory_off = "off: too few samples were taken while memory was quiet";
	mark(t);
}

/* Quiet is not to be had: go on without, unless it was insisted on. */
static void
give_up_quiet(struct taking *t)
{
	struct take	*k = t->take;

	if (k->canary_off != NULL || k->loud == 0 || is_enough(t))
		return;
	k->gate_failed = t->plan->gating == GATING_ON;
	if (k->gate_failed)
		return;
	k->canary_off = "off: too few samples were taken in quiet";
	mark(t);
}

/* How long to wait for quiet: all of a budget that was asked for, or what the gate thinks worth while. */
static void
be_patient(struct taking *t)
{
	struct take	*k = t->take;
	uint64_t	 now = t->runner->now_ns(t->runner->arg);

	if (k->canary_off != NULL)
		return;
	k->patience_ns = t->plan->waits_all ? t->plan->budget_ns :
	    patience_now(&t->runner->gate->patience, now);
	k->memory_patience_ns = memory_gate_patience(&t->runner->gate->memory, k->patience_ns);
}

/* Until enough are undisturbed and quiet, or what the others took is beyond patience and budget. */
static enum status
collect(struct taking *t)
{
	struct take	*k = t->take;
	enum status	 st;

	be_patient(t);
	do {
		if ((st = collect_some(t)) != ST_OK)
			return st;
		if (is_out_of_patience(k))
			give_up_memory(t);
		if (is_out_of_patience(k))
			give_up_quiet(t);
		if (is_due(t))
			return ST_OK;
	} while (may_go_on(t));

	stop_early(k);
	return ST_OK;
}

static int
by_place(const void *a, const void *b)
{
	const struct take_sample	*x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* The clean ones; with too few of them the best of the others too, and each says what was wrong with it. */
static void
keep(struct taking *t)
{
	struct take	*k = t->take;
	unsigned	 n;

	give_up_memory(t);
	give_up_quiet(t);
	if (t->judged)
		memory_canary_learn(t->runner->gate, k);
	if (t->judged_memory)
		memory_gate_end(&t->runner->gate->memory, k->memory_off == NULL);
	if (t->judged)
		patience_end(&t->runner->gate->patience, k->canary_off == NULL && !k->gate_failed,
		    t->plan->waits_all ? 0 : k->waited_ns);
	n = are_too_few(k) ? k->taken : k->clean;
	n = n < k->wanted ? n : k->wanted;
	qsort(k->sample, k->samples, sizeof *k->sample, take_by_worth);
	qsort(k->sample, n, sizeof *k->sample, by_place);
	k->samples = n;
	for (size_t i = 0; i < n; i++)
		k->kept_unfit += k->sample[i].disturbed || k->sample[i].loud;
}

static double
call_ns_of(const struct taking *t, uint64_t ticks)
{
	uint64_t	overhead = t->take->subtracted_ticks;

	return tick_ns(t->tick, ticks > overhead ? ticks - overhead : 0) / (double)t->plan->run.calls;
}

static void
convert(struct taking *t)
{
	struct take	*k = t->take;
	uint64_t	 least = UINT64_MAX;

	k->canary_base_ticks = t->runner->gate != NULL ? gate_base_ticks(t->runner->gate) : 0;
	if (t->runner->gate != NULL)
		pace_normalise(k, t->runner->gate, t->plan);
	k->slow_clock = t->plan->gating == GATING_ON && pace_is_in_doubt(k, t->plan);
	k->gate_failed |= k->slow_clock;
	for (size_t i = 0; i < k->samples; i++) {
		struct take_sample	*s = &k->sample[i];

		s->ns = call_ns_of(t, s->raw.ticks);
		s->against_ns = call_ns_of(t, s->against_ticks);
		s->canary_ratio = t->runner->gate != NULL ? gate_ratio(t->runner->gate, &s->raw) :
		    0;
		s->memory_ratio = t->runner->gate != NULL ?
		    memory_gate_ratio(&t->runner->gate->memory, s->raw.memory_canary) : 0;
		if (s->raw.ticks < least)
			least = s->raw.ticks;
	}
	k->within_noise = least < 2 * k->empty_ticks ||
	    tick_ns(t->tick, least - k->subtracted_ticks) < 2 * t->tick->resolution_ns;
	k->region_ticks = least;
}

/* A cold time that was not cold is a fault of ours, and no time. */
static enum status
prove_cold(struct taking *t)
{
	struct take	*k = t->take;
	struct cold	*c = &k->cold;

	*c = cold_judge_of(&t->reply->sentinel);
	c->sets_touched = plan_walks(t->plan) ? t->reply->sets_seen : 1;
	for (size_t i = 0; i < k->samples; i++)
		cold_see(c, k->sample[i].raw.sentinel);
	if (!t->plan->is_whole || (!cold_was_warm(c) &&
	    !cold_sets_stood(c, t->plan->sets, k->taken * t->plan->run.calls)))
		return ST_OK;
	if (cold_was_warm(c))
		snprintf(t->reply->words, sizeof t->reply->words,
		    "the operands were not cold: lines flushed with them were still in a cache before %u of %u samples",
		    c->warm, c->read);
	else
		snprintf(t->reply->words, sizeof t->reply->words,
		    "the operands were not cold: the calls met %llu working sets, not %llu",
		    (unsigned long long)c->sets_touched, (unsigned long long)t->plan->sets);
	return t->reply->status = ST_INTERNAL;
}

/* A cold time proves itself against the same routine with its operands in the cache. */
static enum status
measure_warm(struct taking *t)
{
	struct plan	*p = t->plan, cold = *p;
	double		 ns;
	enum status	 st;

	if (!plan_flushes(p) || t->take->cut_short || batch_size(t, TAKE_PROBES) < TAKE_PROBES)
		return ST_OK;
	plan_warm_operands(p);
	st = take_probe(t, RUNNER_SAMPLE, p->run.calls, TAKE_PROBES, &ns);
	*p = cold;
	ns -= tick_ns(t->tick, t->take->overhead_ticks);
	t->take->warm_ns = st == ST_OK && ns > 0 ? ns / (double)p->run.calls : 0;
	return st;
}

/* NULL: there is one, and it is asked for. */
static const char *
no_canary(const struct plan *plan, const struct gate *gate)
{
	if (plan->gating == GATING_OFF)
		return "off: not asked for";
	if (gate == NULL)
		return "off: there is none";
	return gate_is_coarse(gate) ? "off: the clock is too coarse for it" : NULL;
}

enum status
take_samples(struct take *k, struct plan *plan, const struct tick *tick, const struct take_runner *runner,
    uint64_t deadline_ns, struct bench_reply *reply)
{
	struct taking	t = { .take = k, .plan = plan, .tick = tick, .runner = runner, .reply = reply,
			    .deadline_ns = deadline_ns, .burst = RUNNER_SAMPLES, .stop = { plan, runner->gate, 0 } };
	struct doubling pairs = { .runner = runner };
	enum status	st;

	memset(k, 0, sizeof *k);
	k->wanted = plan->samples;
	t.room = (size_t)(plan->interval > 0 ? plan->max_samples : plan->samples) * (1 + TAKE_TIMES) + TAKE_EXTRA +
	    TAKE_ROOM;
	if ((k->sample = malloc(t.room * sizeof *k->sample)) == NULL)
		return reply->status = ST_INTERNAL;
	if ((st = take_prepare(&t)) != ST_OK)
		return st;
	k->canary_off = no_canary(plan, runner->gate);
	k->memory_off = k->canary_off != NULL ? k->canary_off : memory_canary_off(plan, runner->gate);
	t.pairs = plan->difference ? &pairs : NULL;
	t.judged = k->canary_off == NULL;
	t.judged_memory = k->memory_off == NULL;
	host_evidence_begin(runner->host);
	st = collect(&t);
	host_evidence_end(runner->host);
	if (st != ST_OK)
		return st;
	t.pairs = NULL;
	keep(&t);
	convert(&t);
	if ((st = prove_cold(&t)) != ST_OK)
		return st;
	return measure_warm(&t);
}

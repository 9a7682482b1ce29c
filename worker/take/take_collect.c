/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of samples until enough of them count, or the others took too long. */
#include "worker/stop/race.h"
#include "worker/take/take_parts.h"

/*
 * All of them, again: a reading may have lowered the base, a sample the number of faults that are
 * the routine's own.
 */
static void
mark(struct taking *t)
{
	struct take	*k = t->take;

	k->disturbed = k->taken - (unsigned)take_mark(k->sample, k->samples, &k->own_faults);
	k->clean = k->loud = k->rejected = t->unquiet = t->own_clean = 0;
	k->memory_loud = k->memory_off == NULL ? 0 : k->memory_loud;
	for (size_t i = 0; i < k->samples; i++) {
		struct take_sample	*s = &k->sample[i];

		s->loud = t->judged && !gate_is_quiet(t->with->gate, &s->raw);
		s->memory_loud = k->memory_off == NULL &&
		    !memory_gate_is_quiet(&t->with->gate->memory, s->raw.memory_canary);
		k->loud += s->loud;
		k->memory_loud += s->memory_loud;
		k->rejected += s->disturbed || s->loud || s->memory_loud;
		k->clean += take_counts(k, s);
		t->own_clean += take_counts(k, s) && s->process + 1 == k->processes;
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
			.raw = *from, .nth = (unsigned)k->samples, .process = k->processes - 1,
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

/* After a loud sample its cause may soon be over, so look often, with short orders. */
static void
nap(struct taking *t)
{
	const struct take_clock	*clock = t->with->clock;
	struct take		*k = t->take;
	const uint64_t		 began = take_now(clock);
	uint64_t		 took_ns;

	if (!take_is_unquiet(k, &k->sample[k->samples - 1])) {
		t->burst = t->burst < RUNNER_SAMPLES ? 2 * t->burst : t->burst;
		t->naps = 0;
		return;
	}
	t->burst = TAKE_BURST;
	take_pause(clock, (uint64_t)TAKE_NAP_NS << t->naps);
	t->naps = t->naps < 2 ? t->naps + 1 : t->naps;
	took_ns = take_now(clock) - began;
	k->waited_ns += took_ns;
	t->lost_ns += took_ns;
}

/* The time of the last order's samples that do not count. */
static void
count_losses(struct taking *t, unsigned was_clean, unsigned was_unquiet)
{
	struct take	*k = t->take;
	unsigned	 new = t->reply->samples;
	unsigned	 good = k->clean > was_clean ? k->clean - was_clean : 0;
	unsigned	 loud = t->unquiet > was_unquiet ? t->unquiet - was_unquiet : 0;
	uint64_t	 each_ns = new > 0 ? t->reply->took_ns / new : 0;

	t->lost_ns += good < new ? each_ns * (new - good) : 0;
	k->waited_ns += each_ns * (loud < new ? loud : new);
}

/*
 * Samples that are due from the present process and those to come.  Of what others gave, some may
 * count no more: then all have had their turn, and more of them follow.
 */
static unsigned
still_due(const struct taking *t)
{
	const struct take	*k = t->take;
	const unsigned		 given = k->clean - t->own_clean;

	if (k->wanted > t->others)
		return k->wanted - t->others;
	return k->wanted > given ? k->wanted - given : 0;
}

/* Samples that the present process shall give. */
static unsigned
share(const struct taking *t)
{
	const unsigned	own = t->each + (t->take->processes <= t->extra);
	const unsigned	due = still_due(t);

	return own < due ? own : due;
}

/* Of them, those that are still to be taken. */
static unsigned
missing_here(const struct taking *t)
{
	const struct take	*k = t->take;
	unsigned		 has = t->own_clean, shall = share(t);

	if (t->each == 0) {
		has = k->clean;
		shall = k->wanted;
	}
	return has < shall ? shall - has : 0;
}

/* One order's worth. */
static enum status
collect_some(struct taking *t)
{
	struct take	*k = t->take;
	unsigned	 missing = missing_here(t);
	unsigned	 was_clean = k->clean, was_unquiet = t->unquiet;
	uint32_t	 n = take_batch_size(t, missing < t->burst ? missing : t->burst);
	enum status	 st;

	if (n == 0 && k->samples > 0) {
		k->cut_short = true;
		return ST_OK;
	}
	n = n != 0 ? n : 1;
	st = take_order(t, &t->with->samples, RUNNER_SAMPLE, t->plan->run.calls, n);
	if (st != ST_OK)
		return st;
	add_samples(t);
	mark(t);
	count_losses(t, was_clean, was_unquiet);
	if (missing_here(t) > 0)
		nap(t);
	return ST_OK;
}

/* Most samples came while memory was loud. */
static bool
is_memory_at_fault(const struct take *k)
{
	return k->memory_off == NULL && 2 * k->memory_loud > k->taken;
}

/* Once the present process has given its share. */
static enum status
go_to_next_process(struct taking *t)
{
	enum status	st;

	if (missing_here(t) > 0)
		return ST_OK;
	take_see_cold(t, t->take->processes);
	t->others += share(t);
	if ((st = t->with->renewal.renew(t->with->renewal.arg, t->reply)) != ST_OK)
		return st;
	t->take->processes++;
	t->passes = 2 * t->walked;	/* with those of proofs: a set just met is in the cache */
	t->own_clean = 0;
	return ST_OK;
}

static bool
is_out_of_patience(const struct take *k)
{
	const uint64_t	patience_ns =
	    is_memory_at_fault(k) ? k->memory_patience_ns : k->patience_ns;

	return k->canary_off == NULL && k->clean < k->wanted && k->waited_ns >= patience_ns;
}

/* `raised`: more are wanted than before the last order, so its wait was not in vain. */
static bool
may_go_on(const struct taking *t, bool raised)
{
	const struct take	*k = t->take;

	return !k->cut_short && (raised || !is_out_of_patience(k)) && k->samples < t->room &&
	    t->lost_ns - k->waited_ns < t->plan->budget_ns &&
	    k->disturbed < (size_t)k->wanted * TAKE_TIMES + TAKE_EXTRA;
}

/* Once the canary was given up, few processes may have as many that count as are wanted of all. */
static bool
have_all_given(const struct taking *t)
{
	return t->each == 0 ||
	    (missing_here(t) == 0 && t->others + share(t) >= t->take->wanted);
}

static bool
is_due(struct taking *t)
{
	const struct take_rule	*rule = &t->with->rule;
	const unsigned		 process = t->take->processes;
	bool			 is_due;

	if (!have_all_given(t))
		return false;
	if (rule->is_due == NULL)
		return stop_is_due(&t->stop, t->take, take_now(t->with->clock), t->lost_ns);
	is_due = rule->is_due(rule->arg, t->take);
	if (t->take->processes != process)
		take_see_cold(t, process);
	return is_due;
}

/*
 * Each sample was judged.  The canary's judgement goes on when it is given up, the memory canary's
 * does not.
 */
static bool
is_judged(const struct taking *t)
{
	const struct take	*k = t->take;

	return t->judged && t->judged_memory == (k->memory_off == NULL);
}

/* Beside a neighbour nothing is given up, nor on a part of a process's share. */
static bool
is_lost(const struct taking *t)
{
	const struct take_setting	*w = t->with;

	return w->race != NULL && is_judged(t) && (t->each == 0 || missing_here(t) == 0) &&
	    race_is_lost(w->race, t->take, t->plan, w->gate, w->tick);
}

/*
 * Clean samples can stand for the result.  A pair's halves were disturbed alike: rather a loud pair
 * than none.
 */
static bool
is_enough(const struct taking *t, unsigned parts)
{
	const struct take	*k = t->take;

	return t->reply->is_paired ? k->clean >= k->wanted : take_has_share(k, parts);
}

/*
 * Waiting for the memory canary does not help: go on as if there were none, unless quiet was
 * required.
 */
void
take_give_up_memory(struct taking *t)
{
	struct take	*k = t->take;

	if (!is_memory_at_fault(k) || is_enough(t, TAKE_QUIET_MEMORY))
		return;
	k->memory_failed = t->plan->gating == GATING_ON;
	k->gate_failed |= k->memory_failed;
	if (k->memory_failed)
		return;
	k->memory_off = "off: too few samples were taken while memory was quiet";
	mark(t);
}

/* Quiet is not to be had: go on without, unless it was required. */
void
take_give_up_quiet(struct taking *t)
{
	struct take	*k = t->take;

	if (k->canary_off != NULL || k->loud == 0 || is_enough(t, TAKE_ENOUGH))
		return;
	k->gate_failed = t->plan->gating == GATING_ON;
	if (k->gate_failed)
		return;
	k->canary_off = "off: too few samples were taken in quiet";
	mark(t);
}

/* Time to wait for quiet: a budget that was asked for, or the slot's patience. */
static void
be_patient(struct taking *t)
{
	struct take	*k = t->take;
	uint64_t	 now = take_now(t->with->clock);

	if (k->canary_off != NULL)
		return;
	k->patience_ns = t->plan->waits_all ? t->plan->budget_ns :
	    patience_now(&t->with->gate->patience, now);
	if (!t->plan->waits_all && k->patience_ns < t->with->rule.patience_ns)
		k->patience_ns = t->with->rule.patience_ns;
	k->memory_patience_ns = t->plan->gating == GATING_ON ? k->patience_ns :
	    memory_gate_patience(&t->with->gate->memory, k->patience_ns);
}

/* Until enough are undisturbed and quiet, or the others have used up patience and budget. */
enum status
take_collect(struct taking *t)
{
	struct take	*k = t->take;
	unsigned	 wanted;
	enum status	 st;

	be_patient(t);
	do {
		wanted = k->wanted;
		if ((st = go_to_next_process(t)) != ST_OK || (st = collect_some(t)) != ST_OK)
			return st;
		if (is_out_of_patience(k))
			take_give_up_memory(t);
		if (is_out_of_patience(k))
			take_give_up_quiet(t);
		if (is_due(t) || is_lost(t))
			return ST_OK;
	} while (may_go_on(t, k->wanted > wanted));

	stop_early(k);
	return ST_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples of a trial: of what is loaded, of pairs, in several layouts, or by challenges; then
 * its events.
 */
#include "proto/base/clock.h"
#include "worker/trial/trial.h"

/* ---- of one process ---- */

/* Samples, and the range of the results that they left. */
static enum status
take_and_look(struct trial *t, struct plan *p, struct take *k, const struct take_setting *with)
{
	struct bench_reply	*reply = &t->s->reply;
	const enum status	 st = take_samples(k, p, with, reply);

	return st == ST_OK && !k->cut_short ?
	    range_see_timed(&t->range, p, &with->orders, reply) : st;
}

/* Of what is loaded, by a closed plan. */
static enum status
take_loaded(struct trial *t, struct plan *p, struct take *k)
{
	struct take_setting	with;
	enum status		st;

	if ((st = trial_make_areas_anew(t, p)) != ST_OK)
		return st;
	with = trial_setting(t);
	return take_and_look(t, p, k, &with) == ST_OK ? ST_OK : trial_fault(t);
}

/* ---- of several, one after another ---- */

struct succession {
	struct trial	*trial;
	struct dice	 dice;
	enum status	 st;		/* of a process; its words are the trial's */
};

static void
see_renewal(struct supervisor *s, uint64_t took_ns)
{
	if (s->least_renewal_ns == 0 || took_ns < s->least_renewal_ns)
		s->least_renewal_ns = took_ns;
}

/* Beside its samples, one more process costs a load, a drop, and what its first order needs. */
static uint64_t
renewal_ns(const struct supervisor *s)
{
	return s->least_renewal_ns != 0 ? s->least_renewal_ns : 2 * s->least_load_ns;
}

/* The answer once more: being timed must not have changed it.  Then another process. */
static enum status
succeed(struct succession *s)
{
	const uint64_t	 began_ns = clock_now_ns();
	struct trial	*t = s->trial;
	uint64_t	 load_ns = t->load_ns;
	enum status	 st;

	if ((st = trial_check_copies(t)) != ST_OK)
		return st;
	trial_drop(t);
	if (trial_load_variant(t, t->path) != ST_OK)
		return trial_fault(t);
	t->load_ns = load_ns;
	t->plan.run.stack_offset = layout_stack(&s->dice);
	if ((st = trial_check_copies(t)) == ST_OK)
		see_renewal(t->s, clock_now_ns() - began_ns);
	return st;
}

static enum status
renew(void *arg, struct bench_reply *reply)
{
	struct succession	*s = arg;

	(void)reply;
	return s->st = succeed(s);
}

/* What chance decides of a process is drawn anew in each (worker/runner/chance.h). */
static enum status
take_processes(struct trial *t)
{
	struct succession	 s = { t, { clock_now_ns(), 0 }, ST_OK };
	struct take_setting	 with;
	enum status		 st;

	if ((st = trial_make_areas_anew(t, &t->plan)) != ST_OK)
		return st;
	with = trial_setting(t);
	with.race = t->job->race.is_asked ? &t->job->race : NULL;
	with.renewal = (struct take_renewal){ renew, &s, renewal_ns(t->s) };
	st = take_and_look(t, &t->plan, &t->take, &with);
	if (s.st != ST_OK)
		return s.st;
	return st == ST_OK ? ST_OK : trial_fault(t);
}

/* ---- of two variants in turn ---- */

static enum status
take_pairs(struct trial *t)
{
	struct pairs		*pairs = &t->pipeline.pairs;
	struct bench_reply	*reply = &t->s->reply;
	struct take_setting	 with;
	enum status		 st;

	if ((st = trial_make_areas_anew(t, &t->plan)) != ST_OK)
		return st;
	with = trial_setting(t);
	pairs_begin(pairs, take_now(with.clock));
	pairs->loader = trial_loader(t);
	looks_begin(&t->looks, &t->job->contest, pairs, &t->plan, with.clock);
	t->plan.samples = 1;			/* more as the looks have it */
	t->plan.interval = 0;
	st = take_samples(&t->take, &t->plan, &with, reply);
	if (trial_blame(t, pairs->ran, st) != ST_OK)
		return trial_fault(t);
	if (!t->take.cut_short &&
	    range_see_timed(&t->range, &t->plan, &t->pipeline.lane[TRIAL_LANE], reply) != ST_OK)
		return trial_fault(t);
	if (looks_end(&t->looks, &t->take, &t->looks_end) != ST_OK)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the pairs");
	return ST_OK;
}

/* ---- in several layouts ---- */

static enum status
take_in_layout(void *arg, const struct layout *l, struct plan *p, struct take *k, uint64_t *code_at)
{
	struct trial	*t = arg;
	uint64_t	 load_ns = t->load_ns;
	enum status	 st;

	bench_drop(t->s->bench, TRIAL_LANE);
	bench_shift(t->s->bench, l->shift);
	st = trial_load(t, TRIAL_LANE, l->pad != 0 ? t->objects.padded[l->pad] :
	    t->objects.variant);
	*code_at = t->s->reply.code_at;
	st = st == ST_OK ? trial_check_answer(t, TRIAL_LANE) : trial_fault(t);
	if (st == ST_OK && (st = take_loaded(t, p, k)) == ST_OK)
		st = trial_check_answer(t, TRIAL_LANE);	/* once more: being timed must not have
							 * changed the answer */
	t->load_ns = load_ns;
	patience_one_job(&t->s->gate.patience, t->halvings);
	return st;
}

static uint64_t
time_left(void *arg)
{
	const struct trial	*t = arg;
	uint64_t		 now = clock_now_ns();

	return now < t->deadline_ns ? t->deadline_ns - now : 0;
}

enum status
trial_take_layouts(struct trial *t)
{
	static const uint32_t		nowhere[RUNNER_OPERANDS];
	const struct spread_worker	worker = { take_in_layout, time_left, t };
	struct fault			why;
	unsigned			at;
	enum status			st;

	t->halvings = t->s->gate.patience.halvings;
	st = spread_take(&t->spread, t->job, &t->plan, &worker, &at);
	bench_drop(t->s->bench, TRIAL_LANE);
	bench_shift(t->s->bench, nowhere);
	t->has_spread = true;
	if (st == ST_NOMEM)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the layouts");
	why = t->why;
	return st == ST_OK || at == 0 ? st :
	    fault_set(&t->why, st, "in layout %u of %u: %s", at + 1, t->spread.points, why.text);
}

/* ---- the samples that count ---- */

static enum status
take_challenges(struct trial *t)
{
	struct job_audit	*a = &t->pipeline.audit[TRIAL_LANE];
	enum status		 st;

	host_evidence_begin(&t->host);
	st = job_audit_take(a, &t->take, &t->plan);
	host_evidence_end(&t->host);
	return st == ST_OK ? ST_OK : fault_set(&t->why, st, "%s", a->reply.words);
}

/* The samples that count: of the default layout, or the medians of the random ones. */
static enum status
take_counting(struct trial *t)
{
	enum status	st;

	if (plan_is_challenge(&t->plan))
		return take_challenges(t);
	if (t->compares)
		return take_pairs(t);
	if (t->job->spec.timing.layout != LAYOUT_RANDOM)
		return take_processes(t);
	if ((st = trial_take_layouts(t)) != ST_OK)
		return st;
	if (spread_medians(&t->spread, &t->take) != ST_OK)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the samples");
	return ST_OK;
}

/* After the samples: reading counters costs them nothing then. */
static enum status
count_events(struct trial *t)
{
	const struct timing	*timing = &t->job->spec.timing;
	struct take_setting	 with = trial_setting_of_lane(t);
	double			 sample_ns = tick_ns(trial_tick(t), t->take.region_ticks);
	enum status		 st;

	if (timing->ncounters == 0)
		return ST_OK;
	counter_open(&t->counters, timing, bench_pid(t->s->bench, trial_lane(t, PAIRS_VARIANT)));
	st = counter_run(&t->counters, &t->plan, &with, sample_ns, &t->s->reply);
	counter_close(&t->counters);
	return st == ST_OK ? ST_OK : trial_fault(t);
}

static void
see_lodging(struct trial *t)
{
	const struct spec	*s = &t->job->spec;
	uint64_t		 bytes[RUNNER_OPERANDS] = { 0 };
	size_t			 k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (s->args[i].is_operand)
			bytes[k++] = o->pages == PAGES_HUGE ? PAGES_HUGE_BYTES :
			    o->elements * spec_element_bytes(o);
	}
	bench_lodge(t->s->bench, TRIAL_LANE, bytes, t->lodging);
}

enum status
trial_take_time(struct trial *t)
{
	enum status	st;

	if (trial_blame(t, PAIRS_VARIANT, trial_settle(t)) != ST_OK)
		return trial_fault(t);
	trial_close_plan(t);
	t->node = bench_node(t->s->bench, TRIAL_LANE);
	see_lodging(t);
	if ((st = trial_begin_audits(t)) != ST_OK || (st = trial_learn_inputs(t)) != ST_OK ||
	    (st = take_counting(t)) != ST_OK)
		return st;
	t->has_samples = true;
	t->image_calls = bench_image_calls(t->s->bench, trial_lane(t, PAIRS_VARIANT));
	if (t->job->spec.checkpoint != NULL && t->image_calls == 0)
		return fault_at(&t->why, ST_BAD_SPEC, "spec.checkpoint",
		    "the image does not call \"%s\" between "
		    "assay_enter_checkpoint and assay_stop_checkpoint", t->job->spec.routine.name);
	return (st = count_events(t)) != ST_OK ? st : trial_judge_noise(t);
}

enum status
trial_judge_noise(struct trial *t)
{
	const struct take	*k = &t->take;

	if (!take_is_noisy(k))
		return ST_OK;
	if (k->memory_failed)
		return fault_set(&t->why, ST_TOO_NOISY,
		    "memory was busy before %u of %u samples: a reading of it took %.2f times as "
		    "long as at rest", k->memory_loud, k->taken,
		    memory_gate_ratio(&t->s->gate.memory, k->memory_ticks));
	if (k->slow_clock)
		return fault_set(&t->why, ST_TOO_NOISY,
		    "the core's clock was at %.0f %% of its best before the routine ran, by "
		    "a neighbour's doing; the routine's own part of it is unknown",
		    100 / k->clock);
	return fault_set(&t->why, ST_TOO_NOISY,
	    "%u of %u samples were clean: the canary was slow for %u, %u were "
	    "disturbed (%llu involuntary switches, %llu page faults)", k->clean, k->taken,
	    k->loud, k->disturbed, (unsigned long long)k->switches, (unsigned long long)k->faults);
}

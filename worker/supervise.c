/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One job, from its built objects to raw samples and a verdict:
 *
 *	plan ► bench (kept, or new) ► reference's outputs (kept, or new) ► load ► check ► samples ► check ► drop
 *
 * Where two variants are compared both are loaded, each on its lane, and checked, and a sample is a pair.
 * A bench lives as long as jobs come with its driver: operands, flush areas and the reference's outputs stay.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "worker/bench.h"
#include "worker/codesize.h"
#include "worker/compare.h"
#include "worker/counter.h"
#include "worker/driver.h"
#include "worker/missing.h"
#include "worker/need.h"
#include "worker/objects.h"
#include "worker/pairs.h"
#include "worker/plan.h"
#include "worker/range.h"
#include "worker/report.h"
#include "worker/spread.h"
#include "worker/take.h"
#include "worker/tick.h"
#include "worker/vet.h"

#define LANE		((unsigned)PAIRS_VARIANT)	/* of the variant, and before it of the reference */
#define SETUP_NS	10000000000u	/* for a runner to be ready, and as much again for each GiB of operands */

struct supervisor {
	struct slot		 slot;
	struct tick		 tick[CLK_N];	/* hz 0: not measured yet */
	struct gate		 gate;

	struct bench		*bench;		/* owned; NULL: none */
	struct hash		 driver;	/* of the bench */
	uint64_t		 memory_bytes;	/* the bench's limit */
	unsigned		 threads;	/* that it lets a routine have */
	uint64_t		 flush_bytes, sets, moving;	/* areas it has */

	struct hash		 reference;	/* whose outputs these are */
	void			*want;		/* owned; NULL: none */

	/*
	 * What auto came to on this bench, so that all variants of a routine are timed by one method: the reference's
	 * length decides, or the first variant's.
	 */
	bool			 is_settled;
	struct hash		 settled_by;		/* the reference; "" for a spec that has none */
	uint64_t		 settled_moving;	/* for which operands cold */
	double			 settled_ns;		/* one cold call */

	struct vet		 vet;		/* of the bench */
	struct vetting		 vetting;	/* of the job at hand */

	struct bench_answer	 answer;
};

struct trial {
	struct supervisor	*s;
	const struct job	*job;
	const struct artifacts	*artifacts;
	struct objects		 objects;
	const char		*path;		/* of the object that is loaded; borrowed from above */
	bool			 compares;	/* there is another variant to be timed in turn */
	struct pairs		 pairs;
	struct pairs_end	 pairs_end;
	const char		*who;		/* of the two failed; NULL: neither, or there is but one */
	struct plan		 plan;
	struct take		 take;
	struct comparison	 comparison;
	struct range		 range;
	struct counters		 counters;
	struct spread		 spread;
	bool			 has_plan, has_samples, has_comparison, has_spread, artifact_missing;
	unsigned		 barren;	/* of the gate, when the layouts began */
	uint64_t		 code_at;	/* of the variant in the default layout */
	int			 node;		/* that owns its operands (worker/numa.h) */
	const char		*phase;
	uint64_t		 began_ns, deadline_ns, setup_ns, load_ns;
	struct fault		 why;
};

enum status
supervisor_new(struct supervisor **out, const struct slot *slot, struct fault *why)
{
	struct supervisor	*s;

	*out = NULL;
	if ((s = calloc(1, sizeof *s)) == NULL)
		return fault_set(why, ST_NOMEM, "supervisor");
	s->slot = *slot;
	if (s->slot.line_bytes == 0)
		s->slot.line_bytes = 64;
	*out = s;
	return ST_OK;
}

static void
close_bench(struct supervisor *s)
{
	bench_free(s->bench);
	s->bench = NULL;
	free(s->want);
	s->want = NULL;
	s->flush_bytes = s->sets = s->moving = 0;
	s->is_settled = false;
	vet_end(&s->vetting);
	vet_release(&s->vet);
}

void
supervisor_free(struct supervisor *s)
{
	if (s == NULL)
		return;
	close_bench(s);
	free(s);
}

void
supervisor_set_flush(struct supervisor *s, uint64_t bytes)
{
	s->slot.flush_bytes = bytes;
}

static const struct tick *
tick_of(struct supervisor *s, enum clock_kind asked)
{
	enum clock_kind	clock = driver_clock(asked);

	if (s->tick[clock].hz == 0)
		s->tick[clock] = tick_measure(clock);
	return &s->tick[clock];
}

json_t *
supervisor_clock(struct supervisor *s)
{
	return report_clock(tick_of(s, CLK_AUTO));
}

json_t *
supervisor_clocks(struct supervisor *s)
{
	static const enum clock_kind	kinds[] = { CLK_CYCLE, CLK_WALL, CLK_CPU };
	json_t				*list = json_array();

	for (size_t i = driver_has_cycle_clock() ? 0 : 1; i < sizeof kinds / sizeof kinds[0]; i++)
		(void)json_array_append_new(list, report_clock(tick_of(s, kinds[i])));
	return list;
}

static enum status
take_fault(struct trial *t)
{
	t->phase = t->s->answer.phase == RUNNER_IDLE ? NULL : bench_phase_words(t->s->answer.phase);
	return fault_set(&t->why, t->s->answer.status, "%s", t->s->answer.words);
}

/* ---- the bench ---- */

static enum status
open_bench(struct trial *t)
{
	struct supervisor	*s = t->s;
	uint64_t		 memory = 0, operands, began = bench_now_ns();
	struct bench_config	 config = { .slot = &s->slot, .driver_path = t->objects.driver,
				     .threads = t->job->threads };
	struct runner_driver	 driver;
	enum status		 st;

	st = need_memory(&memory, &t->job->spec, &t->plan, &s->slot, tick_of(s, t->job->spec.timing.clock), &t->why);
	if (st != ST_OK)
		return st;
	if (bench_is_usable(s->bench) && strcmp(s->driver.hex, t->artifacts->driver.hex) == 0 &&
	    memory <= s->memory_bytes && s->threads == t->job->threads && vet_serves(&s->vet, t->job))
		return ST_OK;
	close_bench(s);
	config.challenge = vet_prepare(&s->vet, t->job);
	config.output_bytes = compare_output_bytes(&t->job->spec);
	config.memory_bytes = memory + (config.challenge != NULL ? config.challenge->bytes : 0);
	config.setup_limit_ns = SETUP_NS + SETUP_NS * (need_operand_bytes(&t->job->spec, &operands) >> 30);
	if ((st = bench_new(&s->bench, &config, &t->why)) != ST_OK)
		return st;
	s->driver = t->artifacts->driver;
	s->memory_bytes = memory;
	s->threads = t->job->threads;
	t->setup_ns = bench_now_ns() - began;
	driver = bench_driver(s->bench);
	if ((st = need_check_counts(&t->job->spec, &driver, &t->why)) != ST_OK)
		return st;
	return vet_prime(&s->vet, s->bench, &t->why);
}

static enum status
load(struct trial *t, unsigned lane, const char *path)
{
	uint64_t	began = bench_now_ns();
	enum status	st = bench_load(t->s->bench, lane, path, t->deadline_ns, &t->s->answer);

	t->load_ns = bench_now_ns() - began;
	t->path = path;
	return st;
}

/* The side to name where two are compared. */
static enum status
blame(struct trial *t, enum pairs_side side, enum status st)
{
	if (st != ST_OK && t->compares)
		t->who = side == PAIRS_AGAINST ? "against" : "variant";
	return st;
}

/* What is timed, each on its lane. */
static enum status
load_all(struct trial *t)
{
	enum status	st = blame(t, PAIRS_VARIANT, load(t, PAIRS_VARIANT, t->objects.variant));

	t->code_at = t->s->answer.code_at;
	pairs_reset(&t->pairs, t->plan.sets);
	if (st == ST_OK && t->compares)
		st = blame(t, PAIRS_AGAINST, load(t, PAIRS_AGAINST, t->objects.against));
	return st;
}

static void
drop_all(struct trial *t)
{
	for (unsigned lane = 0; lane < PAIRS_SIDES; lane++)
		bench_drop(t->s->bench, lane);
}

/* Areas are made in the template, so a variant that is there already must be loaded anew.  Does not cost it time. */
static enum status
make_areas(struct trial *t, const struct plan *p, bool loaded)
{
	struct supervisor	*s = t->s;
	uint64_t		 began = bench_now_ns(), flush = p->method == PLAN_MULTI ? 0 : p->run.flush_bytes * p->cpus;
	enum status		 st;

	if (flush <= s->flush_bytes && (p->sets == 0 || (p->sets == s->sets && p->moving == s->moving)))
		return ST_OK;
	if (loaded)
		drop_all(t);
	if (p->sets != 0) {
		s->sets = p->sets;
		s->moving = p->moving;
	}
	if (flush > s->flush_bytes)
		s->flush_bytes = flush;
	st = bench_area(s->bench, s->flush_bytes, s->sets, s->moving, &t->why);
	t->deadline_ns += bench_now_ns() - began;
	if (st != ST_OK) {
		s->sets = s->moving = s->flush_bytes = 0;
		return st;
	}
	return !loaded ? ST_OK : t->compares ? load_all(t) : load(t, LANE, t->path);
}

/* ---- what taking samples needs ---- */

static enum status
runner_run(void *arg, const struct runner_run *run, struct bench_answer *answer)
{
	struct trial	*t = arg;
	struct vetting	*v = &t->s->vetting;
	enum status	 st;

	v->deadline_ns = t->deadline_ns;
	if ((st = vet_before(v, run)) != ST_OK) {
		*answer = v->answer;
		return st;
	}
	st = bench_run(t->s->bench, LANE, run, t->deadline_ns, answer);
	vet_after(v, run, answer, tick_of(t->s, t->job->spec.timing.clock));
	return st;
}

static enum status
runner_run_side(void *arg, enum pairs_side side, const struct runner_run *run, struct bench_answer *answer)
{
	struct trial	*t = arg;

	return bench_run(t->s->bench, side, run, t->deadline_ns, answer);
}

static enum status
runner_area(void *arg, const struct plan *p, struct bench_answer *answer)
{
	struct trial	*t = arg;
	enum status	 st = make_areas(t, p, true);

	if (st != ST_OK && t->why.status == st) {
		answer->status = st;
		snprintf(answer->words, sizeof answer->words, "%s", t->why.text);
	}
	return st;
}

static uint64_t
runner_now(void *arg)
{
	(void)arg;
	return bench_now_ns();
}

static void
runner_pause(void *arg, uint64_t ns)
{
	struct timespec	nap = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	(void)arg;
	nanosleep(&nap, NULL);
}

static struct take_runner
runner_of(struct trial *t)
{
	const struct tick	*tick = tick_of(t->s, CLK_AUTO);

	t->s->gate.resolution_ticks = tick->resolution_ns * tick->hz / 1e9;
	return (struct take_runner){ .run = runner_run, .area = runner_area, .now_ns = runner_now,
	    .pause = runner_pause, .arg = t, .gate = &t->s->gate };
}

/* ---- which method auto is ---- */

/* Nothing to be settled counts as well. */
static bool
is_settled(const struct trial *t)
{
	const struct supervisor	*s = t->s;

	return !t->plan.is_open || (s->is_settled && s->settled_moving == t->plan.moving &&
	    strcmp(s->settled_by.hex, t->artifacts->reference.hex) == 0);
}

static void
close_plan(struct trial *t)
{
	struct supervisor	*s = t->s;

	if (t->plan.is_open && is_settled(t))
		plan_close(&t->plan, &t->job->spec, &s->slot, tick_of(s, t->job->spec.timing.clock), s->settled_ns);
}

/* By one cold call of what is loaded. */
static enum status
settle(struct trial *t)
{
	struct supervisor	*s = t->s;
	struct take_runner	 runner = runner_of(t);
	enum status		 st;

	if (is_settled(t))
		return ST_OK;
	st = take_call(&t->plan, tick_of(s, t->job->spec.timing.clock), &runner, &s->answer, &s->settled_ns);
	s->is_settled = st == ST_OK;
	s->settled_by = t->artifacts->reference;
	s->settled_moving = t->plan.moving;
	return st;
}

/* ---- the steps ---- */

static enum status
find_objects(struct trial *t)
{
	t->artifact_missing = !objects_find(&t->objects, t->job, t->artifacts, t->s->slot.cache_dir);
	return !t->artifact_missing ? ST_OK :
	    fault_set(&t->why, ST_INTERNAL, "a built object is no longer in the cache");
}

static enum status
run_check(struct trial *t, unsigned lane)
{
	static const struct runner_run	order = { .kind = RUNNER_CHECK, .samples = 1, .calls = 1 };

	return bench_run(t->s->bench, lane, &order, t->deadline_ns, &t->s->answer);
}

/* Whatever is wrong with the reference is the spec's fault, not the variant's. */
static enum status
blame_reference(struct trial *t)
{
	struct bench_answer	*a = &t->s->answer;

	if (a->status == ST_INTERNAL || a->status == ST_CANCELLED)
		return take_fault(t);
	if (a->lists_functions)
		snprintf(a->words, sizeof a->words, "it has no function \"%s\"", t->job->spec.routine.name);
	return fault_at(&t->why, ST_BAD_SPEC, "spec.check.reference", "the reference itself failed: %s: %s",
	    status_word(a->status), a->words);
}

static enum status
begin_vetting(struct trial *t)
{
	struct supervisor	*s = t->s;
	enum status		 st = vet_begin(&s->vetting, &s->vet, s->bench, LANE, t->job, &t->plan, &t->why);

	s->vetting.deadline_ns = t->deadline_ns;
	return st;
}

/* What audits cost beside the call, by the reference, which is loaded. */
static enum status
learn_audits(struct trial *t)
{
	struct supervisor	*s = t->s;
	struct take_runner	 runner = runner_of(t);
	struct plan		 warm = t->plan;
	double			 call_ns;
	enum status		 st;

	if (!s->vet.can)
		return ST_OK;
	plan_warm_operands(&warm);
	st = take_call(&warm, tick_of(s, t->job->spec.timing.clock), &runner, &s->answer, &call_ns);
	if (st == ST_OK && begin_vetting(t) != ST_OK)
		st = s->answer.status = ST_INTERNAL;
	if (st == ST_OK && (st = vet_learn(&s->vetting, call_ns)) != ST_OK)
		s->answer = s->vetting.answer;
	vet_end(&s->vetting);
	return st;
}

static enum status
learn_reference(struct trial *t)
{
	struct supervisor	*s = t->s;
	uint64_t		 bytes = compare_output_bytes(&t->job->spec);
	enum status		 st;

	if (!t->job->spec.check.present)
		return ST_OK;
	if (s->want != NULL && strcmp(s->reference.hex, t->artifacts->reference.hex) == 0 && is_settled(t))
		return ST_OK;
	free(s->want);
	if ((s->want = malloc(bytes)) == NULL)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the reference's outputs");
	if ((st = load(t, LANE, t->objects.reference)) == ST_OK && (st = run_check(t, LANE)) == ST_OK) {
		memcpy(s->want, bench_output(s->bench), bytes);
		if ((st = settle(t)) == ST_OK)
			st = learn_audits(t);
	}
	bench_drop(s->bench, LANE);
	if (st != ST_OK) {
		free(s->want);
		s->want = NULL;
		return blame_reference(t);
	}
	s->reference = t->artifacts->reference;
	return ST_OK;
}

static enum status
load_variants(struct trial *t)
{
	enum status	st = load_all(t);

	if (st == ST_LOAD_FAILED && t->s->answer.lists_functions)
		return missing_function(&t->why, t->job->spec.routine.name, t->s->answer.words);
	return st == ST_OK ? ST_OK : take_fault(t);
}

static enum status
check_answer(struct trial *t, unsigned lane)
{
	const struct spec	*s = &t->job->spec;

	if (run_check(t, lane) != ST_OK)
		return take_fault(t);
	range_see_check(&t->range, &t->s->answer);
	if (!s->check.present)
		return ST_OK;
	t->comparison = (struct comparison){ .rtol = s->check.rtol, .atol = s->check.atol };
	compare_outputs(&t->comparison, s, bench_output(t->s->bench), t->s->want);
	t->has_comparison = true;
	return compare_verdict(&t->comparison, &t->why);
}

/* The variant last: its comparison is the one that is reported when all is well. */
static enum status
check_answers(struct trial *t)
{
	enum status	st = t->compares ? blame(t, PAIRS_AGAINST, check_answer(t, PAIRS_AGAINST)) : ST_OK;

	return st == ST_OK ? blame(t, PAIRS_VARIANT, check_answer(t, PAIRS_VARIANT)) : st;
}

static enum status
take_pairs(struct trial *t)
{
	const struct tick	*tick = tick_of(t->s, t->job->spec.timing.clock);
	struct take_runner	 runner;
	enum status		 st;

	t->pairs.rule = &t->job->contest;
	t->pairs.run = runner_run_side;
	t->pairs.base = runner_of(t);
	runner = pairs_runner(&t->pairs);
	t->plan.samples = paired_next_look(0, t->job->contest.max_pairs);
	t->plan.interval = 0;
	st = take_samples(&t->take, &t->plan, tick, &runner, t->deadline_ns, &t->s->answer);
	if (blame(t, t->pairs.ran, st) != ST_OK)
		return take_fault(t);
	if (!t->take.cut_short && range_see_timed(&t->range, &t->plan, &t->pairs.base, &t->s->answer) != ST_OK)
		return take_fault(t);
	if (pairs_end(&t->pairs, &t->take, &t->pairs_end) != ST_OK)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the pairs");
	return ST_OK;
}

/* Of what is loaded, by a closed plan. */
static enum status
take_loaded(struct trial *t, struct plan *p, struct take *k)
{
	struct supervisor	*s = t->s;
	const struct tick	*tick = tick_of(s, t->job->spec.timing.clock);
	struct take_runner	 runner = runner_of(t);
	enum status		 st = take_samples(k, p, tick, &runner, t->deadline_ns, &s->answer);

	if (st == ST_OK && !k->cut_short)
		st = range_see_timed(&t->range, p, &runner, &s->answer);
	return st == ST_OK ? ST_OK : take_fault(t);
}

/* ---- in several layouts ---- */

static enum status
take_in_layout(void *arg, const struct layout *l, struct plan *p, struct take *k, uint64_t *code_at)
{
	struct trial	*t = arg;
	uint64_t	 load_ns = t->load_ns;
	enum status	 st;

	bench_drop(t->s->bench, LANE);
	bench_shift(t->s->bench, l->shift);
	st = load(t, LANE, l->pad != 0 ? t->objects.padded[l->pad] : t->objects.variant);
	*code_at = t->s->answer.code_at;
	st = st == ST_OK ? check_answer(t, LANE) : take_fault(t);
	if (st == ST_OK && (st = take_loaded(t, p, k)) == ST_OK)
		st = check_answer(t, LANE);	/* once more: being timed must not have changed the answer */
	t->load_ns = load_ns;
	if (t->s->gate.barren > t->barren + 1)	/* many processes, but one job that waited in vain */
		t->s->gate.barren = t->barren + 1;
	return st;
}

static uint64_t
time_left(void *arg)
{
	const struct trial	*t = arg;
	uint64_t		 now = bench_now_ns();

	return now < t->deadline_ns ? t->deadline_ns - now : 0;
}

static enum status
take_layouts(struct trial *t)
{
	static const uint32_t		nowhere[RUNNER_OPERANDS];
	const struct spread_worker	worker = { take_in_layout, time_left, t };
	struct fault			why;
	unsigned			at;
	enum status			st;

	t->barren = t->s->gate.barren;
	st = spread_take(&t->spread, t->job, &t->plan, &worker, &at);
	bench_drop(t->s->bench, LANE);
	bench_shift(t->s->bench, nowhere);
	t->has_spread = true;
	if (st == ST_NOMEM)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the layouts");
	why = t->why;
	return st == ST_OK || at == 0 ? st :
	    fault_set(&t->why, st, "in layout %u of %u: %s", at + 1, t->spread.points, why.text);
}

/* ---- the samples ---- */

static enum status
take_challenges(struct trial *t)
{
	struct vetting	*v = &t->s->vetting;
	enum status	 st = vet_take(v, &t->take, &t->plan);

	return st == ST_OK ? ST_OK : fault_set(&t->why, st, "%s", v->answer.words);
}

/* Those that count: of the default layout, or the medians of the random ones. */
static enum status
take_counting(struct trial *t)
{
	enum status	st;

	if (t->plan.method == PLAN_CHALLENGE)
		return take_challenges(t);
	if (t->compares)
		return take_pairs(t);
	if (t->job->spec.timing.layout != LAYOUT_RANDOM)
		return take_loaded(t, &t->plan, &t->take);
	if ((st = take_layouts(t)) != ST_OK)
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
	struct take_runner	 runner = runner_of(t);
	double			 sample_ns = tick_ns(tick_of(t->s, timing->clock), t->take.region_ticks);
	enum status		 st;

	if (timing->ncounters == 0)
		return ST_OK;
	counter_open(&t->counters, timing, bench_pid(t->s->bench, LANE));
	st = counter_run(&t->counters, &t->plan, &runner, sample_ns, t->deadline_ns, &t->s->answer);
	counter_close(&t->counters);
	return st == ST_OK ? ST_OK : take_fault(t);
}

static enum status
take_time(struct trial *t)
{
	const struct take	*k = &t->take;
	enum status		 st;

	if (blame(t, PAIRS_VARIANT, settle(t)) != ST_OK)
		return take_fault(t);
	close_plan(t);
	t->node = bench_node(t->s->bench, LANE);
	if ((st = begin_vetting(t)) != ST_OK || (st = take_counting(t)) != ST_OK)
		return st;
	t->has_samples = true;
	if ((st = count_events(t)) != ST_OK)
		return st;
	if (!take_is_noisy(k))
		return ST_OK;
	return fault_set(&t->why, ST_TOO_NOISY, "%u of %u samples were clean: the canary was slow for %u, %u were "
	    "disturbed (%llu involuntary switches, %llu page faults)", k->clean, k->taken, k->loud, k->disturbed,
	    (unsigned long long)k->switches, (unsigned long long)k->faults);
}

static enum status
run_variant(struct trial *t)
{
	enum status	st, noise;

	if ((st = load_variants(t)) != ST_OK || (st = check_answers(t)) != ST_OK)
		return st;
	noise = take_time(t);
	if ((noise != ST_OK && noise != ST_TOO_NOISY) || t->job->spec.timing.layout == LAYOUT_RANDOM)
		return noise;
	if ((st = check_answers(t)) != ST_OK)	/* once more: being timed must not have changed the answer */
		return st;
	if ((st = vet_judge(&t->s->vetting, &t->take, t->job, &t->plan, &t->why)) != ST_OK)
		return st;
	return noise == ST_OK && t->job->spec.timing.layout == LAYOUT_SWEEP ? take_layouts(t) : noise;
}

/* The variant is gone; the reference answers the challenges that it was given. */
static enum status
replay_audits(struct trial *t)
{
	struct supervisor	*s = t->s;
	enum status		 st;

	if (!s->vetting.on)
		return ST_OK;
	if ((st = load(t, LANE, t->objects.reference)) != ST_OK)
		return blame_reference(t);
	s->vetting.deadline_ns = t->deadline_ns;
	st = vet_replay(&s->vetting, &t->job->spec, &t->why);
	bench_drop(s->bench, LANE);
	return st;
}

static enum status
run_trial(struct trial *t)
{
	const struct spec	*spec = &t->job->spec;
	uint64_t		 limit_ns = (uint64_t)t->job->run_timeout_ms * 1000000u * (t->compares ? 2 : 1);
	enum status		 st, noise;

	if ((st = counter_check(&spec->timing, &t->why)) != ST_OK ||
	    (st = plan_make(&t->plan, spec, &t->s->slot, plan_can_flush_lines(), &t->why)) != ST_OK)
		return st;
	t->has_plan = true;
	if ((st = find_objects(t)) != ST_OK || (st = open_bench(t)) != ST_OK)
		return st;
	if ((st = make_areas(t, &t->plan, false)) != ST_OK)
		return st;
	t->deadline_ns = bench_now_ns() + limit_ns;
	if ((st = learn_reference(t)) != ST_OK)
		return st;
	close_plan(t);			/* with its areas there, the variant need not be loaded twice */
	if ((st = make_areas(t, &t->plan, false)) != ST_OK)
		return st;
	t->deadline_ns = bench_now_ns() + limit_ns;
	st = run_variant(t);
	drop_all(t);
	if (st != ST_OK && st != ST_TOO_NOISY)
		return st;
	noise = st;
	t->deadline_ns = bench_now_ns() + limit_ns;
	st = replay_audits(t);
	return st != ST_OK ? st : noise;
}

static void
forget_samples(struct trial *t)
{
	take_release(&t->take);
	spread_release(&t->spread);
	t->has_samples = t->has_spread = false;
}

/* A runner that was left over from an earlier job may have gone since; that is nobody's fault. */
static enum status
run_twice(struct trial *t)
{
	bool		was_open = t->s->bench != NULL;
	enum status	st = run_trial(t);

	if (st != ST_INTERNAL || !was_open || t->s->bench == NULL || bench_is_usable(t->s->bench))
		return st;
	close_bench(t->s);
	forget_samples(t);
	t->has_comparison = false;
	t->who = NULL;
	t->pairs.looks = 0;
	return run_trial(t);
}

/* Threads of a routine have the timing CPU, or every CPU there is where it is not pinned to one. */
static unsigned
usable_cpus(const struct slot *slot, unsigned threads)
{
	cpu_set_t	may;

	if (threads < 2 || slot->cpu >= 0 || sched_getaffinity(0, sizeof may, &may) != 0)
		return 1;
	return (unsigned)CPU_COUNT(&may);
}

static json_t *
make_report(struct trial *t)
{
	struct report_facts	f = {
		.spec = &t->job->spec, .slot = &t->s->slot, .plan = t->has_plan ? &t->plan : NULL,
		.tick = tick_of(t->s, t->job->spec.timing.clock), .canary_tick = tick_of(t->s, CLK_AUTO),
		.take = t->has_samples ? &t->take : NULL,
		.comparison = t->has_comparison ? &t->comparison : NULL, .range = &t->range, .phase = t->phase,
		.run_ns = bench_now_ns() - t->began_ns, .setup_ns = t->setup_ns, .load_ns = t->load_ns,
		.artifact_missing = t->artifact_missing, .who = t->who, .vetting = &t->s->vetting, .node = t->node,
	};

	json_t			*report;

	if (t->has_samples && t->compares) {
		f.rule = &t->job->contest;
		f.pairs = &t->pairs_end;
		f.code_bytes[0] = codesize_of(t->objects.against);
		f.code_bytes[1] = codesize_of(t->objects.variant);
	}
	report = report_timed(&f);
	(void)json_object_set_new(report, "counters", t->counters.n > 0 ? counter_json(&t->counters) : json_null());
	if (t->has_samples)
		(void)json_object_set_new(report, "layout",
		    spread_report(t->has_spread ? &t->spread : NULL, t->job, t->code_at));
	return report;
}

enum status
supervisor_time(struct supervisor *s, const struct job *job, const struct artifacts *artifacts, char **detail,
    json_t **report)
{
	struct trial	*t = calloc(1, sizeof *t);
	char		 line[1280];
	enum status	 st;

	*detail = NULL;
	*report = NULL;
	if (t == NULL)
		return ST_INTERNAL;
	t->s = s;
	t->job = job;
	t->artifacts = artifacts;
	t->compares = job->against.source != NULL;
	s->slot.cpus = usable_cpus(&s->slot, job->threads);
	t->began_ns = bench_now_ns();
	st = run_twice(t);
	if (!bench_is_usable(s->bench))
		close_bench(s);
	if (!status_is_outcome(st))
		st = ST_INTERNAL;
	if (st != ST_OK && t->who != NULL)
		(void)fault_within(&t->why, t->who);
	if (st != ST_OK)
		*detail = strdup(fault_line(&t->why, line, sizeof line));
	*report = make_report(t);
	vet_end(&s->vetting);
	forget_samples(t);
	free(t);
	return st;
}

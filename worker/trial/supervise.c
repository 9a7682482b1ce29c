/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One job, from its built objects to raw samples and a verdict:
 *
 *	plan ► bench (kept, or new) ► reference's outputs (kept, or new) ► load ► check ► samples ► check ► drop
 *
 * Where two variants are compared both are loaded, each on its lane, and checked, and a sample is a pair.
 * A bench lives as long as jobs come with its driver: operands, flush areas and the reference's outputs stay.
 * This file has the order of the steps; they are in trial_bench.c, trial_reference.c, trial_check.c and trial_time.c.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/clock.h"
#include "worker/bench/affinity.h"
#include "worker/build/driver.h"
#include "worker/cache/codesize.h"
#include "worker/quiet/quiet.h"
#include "worker/trial/report.h"
#include "worker/trial/trial.h"

enum status
supervisor_new(struct supervisor **out, const struct slot *slot, struct fault *why)
{
	struct supervisor	*s;

	*out = NULL;
	if ((s = calloc(1, sizeof *s)) == NULL)
		return fault_set(why, ST_NOMEM, "supervisor");
	s->slot = *slot;
	checkpoint_init(&s->checkpoint);
	if (s->slot.line_bytes == 0)
		s->slot.line_bytes = 64;
	*out = s;
	return ST_OK;
}

void
supervisor_free(struct supervisor *s)
{
	if (s == NULL)
		return;
	trial_close_bench(s);
	checkpoint_release(&s->checkpoint);
	free(s);
}

void
supervisor_set_flush(struct supervisor *s, uint64_t bytes)
{
	s->slot.flush_bytes = bytes;
}

const struct tick *
supervisor_tick(struct supervisor *s, enum clock_kind asked)
{
	enum clock_kind	clock = driver_clock(asked);

	if (s->tick[clock].hz == 0)
		s->tick[clock] = tick_measure(clock);
	return &s->tick[clock];
}

void
supervisor_set_quiet(struct supervisor *s, const json_t *told)
{
	(void)quiet_begin(&s->gate, supervisor_tick(s, CLK_AUTO), told);
}

json_t *
supervisor_clock(struct supervisor *s)
{
	return report_clock(supervisor_tick(s, CLK_AUTO));
}

json_t *
supervisor_clocks(struct supervisor *s)
{
	static const enum clock_kind	kinds[] = { CLK_CYCLE, CLK_WALL, CLK_CPU };
	json_t				*list = json_array();

	for (size_t i = driver_has_cycle_clock() ? 0 : 1; i < sizeof kinds / sizeof kinds[0]; i++)
		(void)json_array_append_new(list, report_clock(supervisor_tick(s, kinds[i])));
	return list;
}

static enum status
find_objects(struct trial *t)
{
	t->artifact_missing = !objects_find(&t->objects, t->job, t->artifacts, t->s->slot.cache_dir);
	return !t->artifact_missing ? ST_OK :
	    fault_set(&t->why, ST_INTERNAL, "a built object is no longer in the cache");
}

static enum status
run_variant(struct trial *t)
{
	enum status	st, noise;

	if ((st = trial_load_variants(t)) != ST_OK || (st = trial_check_answers(t)) != ST_OK)
		return st;
	noise = trial_take_time(t);
	if ((noise != ST_OK && noise != ST_TOO_NOISY) || t->job->spec.timing.layout == LAYOUT_RANDOM)
		return noise;
	if ((st = trial_check_answers(t)) != ST_OK)	/* once more: being timed must not have changed the answer */
		return st;
	if ((st = trial_judge_claims(t)) != ST_OK)
		return st;
	return noise == ST_OK && t->job->spec.timing.layout == LAYOUT_SWEEP ? trial_take_layouts(t) : noise;
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
	if ((st = find_objects(t)) != ST_OK || (st = trial_open_bench(t)) != ST_OK)
		return st;
	if ((st = trial_make_areas(t, &t->plan, false)) != ST_OK)
		return st;
	t->deadline_ns = clock_now_ns() + limit_ns;
	if ((st = trial_learn_reference(t)) != ST_OK)
		return st;
	trial_close_plan(t);			/* with its areas there, the variant need not be loaded twice */
	if ((st = trial_make_areas(t, &t->plan, false)) != ST_OK)
		return st;
	t->deadline_ns = clock_now_ns() + limit_ns;
	st = run_variant(t);
	trial_drop(t);
	if (st != ST_OK && st != ST_TOO_NOISY)
		return st;
	noise = st;
	t->deadline_ns = clock_now_ns() + limit_ns;
	st = trial_replay_audits(t);
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
	trial_close_bench(t->s);
	forget_samples(t);
	t->has_comparison = false;
	t->who = NULL;
	t->pairs.looks = 0;
	return run_trial(t);
}

/* What pairs came to of which one is not what it claims, is nothing. */
static json_t *
make_report(struct trial *t, enum status outcome)
{
	struct report_facts	f = {
		.spec = &t->job->spec, .slot = &t->s->slot, .threads = t->job->threads, .plan = t->has_plan ? &t->plan : NULL,
		.tick = trial_tick(t), .canary_tick = supervisor_tick(t->s, CLK_AUTO),
		.take = t->has_samples ? &t->take : NULL,
		.comparison = t->has_comparison ? &t->comparison : NULL, .range = &t->range, .phase = t->phase,
		.run_ns = clock_now_ns() - t->began_ns, .setup_ns = t->setup_ns, .load_ns = t->load_ns,
		.artifact_missing = t->artifact_missing, .who = t->who, .vetting = t->s->vetting,
		.vets_both = t->compares, .node = t->node,
		.host = &t->host, .checkpoint = &t->s->checkpoint, .image_calls = t->image_calls,
	};
	json_t			*report;

	if (t->has_samples && t->compares && (outcome == ST_OK || outcome == ST_TOO_NOISY)) {
		f.rule = &t->job->contest;
		f.pairs = &t->pairs_end;
		f.code_bytes[0] = codesize_of(t->objects.against);
		f.code_bytes[1] = codesize_of(t->objects.variant);
	}
	report = report_timed(&f);
	(void)json_object_set_new(report, "counters", t->counters.n > 0 ? counter_json(&t->counters) : json_null());
	(void)json_object_set_new(report, "canary",
	    report_canary(&t->s->gate, supervisor_tick(t->s, CLK_AUTO)));
	(void)json_object_set_new(report, "quiet",
	    quiet_report(&t->s->gate, supervisor_tick(t->s, CLK_AUTO), clock_now_ns()));
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
	s->slot.cpus = affinity_count(&s->slot, job->threads);
	host_evidence_init(&t->host, "", s->slot.cpu);
	if (job->threads > 1)
		host_evidence_watch(&t->host, &s->slot.all);
	t->began_ns = clock_now_ns();
	st = run_twice(t);
	if (!bench_is_usable(s->bench))
		trial_close_bench(s);
	if (!status_is_outcome(st))
		st = ST_INTERNAL;
	if (st != ST_OK && t->who != NULL)
		(void)fault_within(&t->why, t->who);
	if (st != ST_OK)
		*detail = strdup(fault_line(&t->why, line, sizeof line));
	*report = make_report(t, st);
	for (unsigned lane = 0; lane < PAIRS_SIDES; lane++)
		vet_end(&s->vetting[lane]);
	forget_samples(t);
	free(t);
	return st;
}

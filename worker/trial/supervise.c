/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One job, from its built objects to raw samples and a verdict:
 *
 *	plan ► bench (kept, or new) ► reference's outputs (kept, or new) ►
 *	load ► check ► samples ► check ► drop.
 *
 * Where two variants are compared both are loaded, each on its lane, and checked, and a sample is a
 * pair.  A bench lives as long as its submitter's jobs come with its driver: operands, flush areas
 * and the reference's outputs stay.  Submitted code may have spoilt it.  So another submitter gets
 * a new one, and so does the job after an `internal` one.  This file has the order of the steps;
 * they are in trial_bench.c, trial_reference.c, trial_check.c and trial_time.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/clock.h"
#include "proto/driver/driver.h"
#include "worker/bench/proc/affinity.h"
#include "worker/cache/codesize.h"
#include "worker/quiet/gate_report.h"
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
supervisor_set_submitter(struct supervisor *s, uid_t submitter)
{
	if (submitter != s->submitter)
		trial_close_bench(s);
	s->submitter = submitter;
}

const struct tick *
supervisor_tick(struct supervisor *s, enum clock_kind asked)
{
	enum clock_kind	clock = asked;

	/* asked once: in a virtual machine CPUID is an exit to the host */
	if (asked == CLK_AUTO && s->auto_clock == CLK_AUTO)
		s->auto_clock = driver_clock(CLK_AUTO);
	if (asked == CLK_AUTO)
		clock = s->auto_clock;
	if (s->tick[clock].hz == 0)
		s->tick[clock] = tick_measure(clock);
	return &s->tick[clock];
}

void
supervisor_set_calibrated(struct supervisor *s, const struct calibrated *c)
{
	s->slot.flush_bytes = c->flush_bytes;
	s->slot.flush_l1_bytes = c->l1_bytes;
	s->slot.flush_l2_bytes = c->l2_bytes;
	memory_gate_calibrate(&s->gate.memory, c, supervisor_tick(s, CLK_AUTO)->hz);
}

void
supervisor_set_quiet(struct supervisor *s, const struct gate_state *known)
{
	(void)gate_begin_with(&s->gate, supervisor_tick(s, CLK_AUTO), known);
}

static struct clock_report
clock_of(struct supervisor *s, enum clock_kind kind)
{
	const struct tick	*t = supervisor_tick(s, kind);

	return (struct clock_report){ clock_name(t->clock), tick_counter(t->clock), t->hz,
	    t->resolution_ns, t->overhead_ns };
}

bool
supervisor_clocks(struct supervisor *s, struct clock_report *automatic, struct shape_list *all)
{
	static const enum clock_kind	kinds[] = { CLK_CYCLE, CLK_WALL, CLK_CPU };
	const size_t			first = driver_has_cycle_clock() ? 0 : 1;
	struct clock_report		*one;

	if (!shape_list_make(all, sizeof kinds / sizeof kinds[0] - first, sizeof *one))
		return false;
	one = all->at;
	for (size_t i = 0; i < all->n; i++)
		one[i] = clock_of(s, kinds[first + i]);
	*automatic = clock_of(s, CLK_AUTO);
	return true;
}

static enum status
find_objects(struct trial *t)
{
	t->artifact_missing = !objects_find(&t->objects, t->job, t->artifacts,
	    t->s->slot.cache_dir);
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
	if ((noise != ST_OK && noise != ST_TOO_NOISY) ||
	    t->job->spec.timing.layout == LAYOUT_RANDOM)
		return noise;
	if ((st = trial_check_answers(t)) != ST_OK)	/* once more: being timed must not have
							 * changed the answer */
		return st;
	if ((st = trial_judge_audits(t)) != ST_OK)
		return st;
	return noise == ST_OK && t->job->spec.timing.layout == LAYOUT_SWEEP ?
	    trial_take_layouts(t) : noise;
}

static enum status
run_trial(struct trial *t)
{
	const struct spec	*spec = &t->job->spec;
	uint64_t		 limit_ns =
				    (uint64_t)t->job->run_timeout_ms * 1000000u * (t->compares ? 2 :
				    1);
	enum status		 st, noise;

	if ((st = counter_check(&spec->timing, &t->why)) != ST_OK ||
	    (st = plan_make(&t->plan, spec, &t->s->slot, plan_can_flush_lines(), &t->why)) != ST_OK)
		return st;
	t->has_plan = true;
	if ((st = find_objects(t)) != ST_OK)
		return st;
	if (spec->program.present)
		return trial_program(t);
	if ((st = trial_open_bench(t)) != ST_OK)
		return st;
	if ((st = trial_make_areas(t, &t->plan)) != ST_OK)
		return st;
	t->deadline_ns = clock_now_ns() + limit_ns;
	if ((st = trial_learn_reference(t)) != ST_OK)
		return st;
	trial_close_plan(t);			/* with its areas there, the variant need not be
						 * loaded twice */
	if ((st = trial_make_areas(t, &t->plan)) != ST_OK)
		return st;
	t->deadline_ns = clock_now_ns() + limit_ns;
	st = run_variant(t);
	trial_drop(t);
	if (st != ST_OK && st != ST_TOO_NOISY)
		return st;
	noise = st;
	t->deadline_ns = clock_now_ns() + limit_ns;
	if ((st = trial_replay_audits(t)) == ST_OK)
		st = trial_take_metric(t);
	return st != ST_OK ? st : noise;
}

static void
forget_samples(struct trial *t)
{
	take_release(&t->take);
	spread_release(&t->spread);
	t->has_samples = t->has_spread = t->has_metric = false;
}

/* Audits end with the bench, as they order its lanes. */
static void
close_bench(struct trial *t)
{
	pipeline_end_audits(&t->pipeline);
	trial_close_bench(t->s);
}

/*
 * A runner that was left over from an earlier job may have gone since; that is not the job's fault.
 */
static enum status
run_twice(struct trial *t)
{
	bool		was_open = t->s->bench != NULL;
	enum status	st = run_trial(t);

	if (st != ST_INTERNAL || !was_open || t->s->bench == NULL || bench_is_usable(t->s->bench))
		return st;
	close_bench(t);
	forget_samples(t);
	t->has_answer = false;
	t->failed = NULL;
	return run_trial(t);
}

static bool
is_blamed(enum status st)
{
	return st != ST_OK && st != ST_TOO_NOISY && st != ST_INTERNAL && st != ST_CANCELLED &&
	    st != ST_BAD_SPEC;
}

/* A variant is blamed only if its objects are still as they were built. */
static enum status
blame(struct trial *t, enum status st)
{
	if (!is_blamed(st) || !t->has_plan)
		return st;
	if (objects_find(&t->objects, t->job, t->artifacts, t->s->slot.cache_dir))
		return st;
	t->artifact_missing = true;
	t->failed = NULL;
	return fault_set(&t->why, ST_INTERNAL, "a built object changed in the cache");
}

enum status
supervisor_time(struct supervisor *s, const struct job *job, const struct artifacts *artifacts,
    char **detail, char **report, struct kept *kept)
{
	struct trial	*t = calloc(1, sizeof *t);
	char		 line[1280];
	enum status	 st;

	*detail = NULL;
	*report = NULL;
	*kept = (struct kept){ .technique = NULL };
	if (t == NULL)
		return ST_INTERNAL;
	t->s = s;
	t->job = job;
	t->artifacts = artifacts;
	t->compares = job->against.source != NULL;
	s->slot.cpus = affinity_count(&s->slot, job->threads);
	host_evidence_init(&t->host, "", s->slot.cpu);
	if (job->threads > 1 || job->copies > 1)
		host_evidence_watch(&t->host, &s->slot.all);
	t->iterations = NAN;
	t->began_ns = clock_now_ns();
	st = blame(t, run_twice(t));
	if (!status_is_outcome(st))
		st = ST_INTERNAL;
	if (!bench_is_usable(s->bench) || st == ST_INTERNAL)
		close_bench(t);
	if (st != ST_OK && t->failed != NULL)
		(void)fault_within(&t->why, t->failed);
	if (st != ST_OK)
		*detail = strdup(fault_line(&t->why, line, sizeof line));
	*report = trial_report(t, st, kept);
	bench_see_gone(s->bench);		/* with its answer nothing of a job is left */
	pipeline_end_audits(&t->pipeline);
	copies_release(&t->copies);
	program_lane_release(&t->program);
	forget_samples(t);
	free(t);
	return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trial of a whole program: no operands, no calls and no reference.  Times are read by a
 * process that runs none of its code, and every run's end and output are looked at.  So nothing is
 * audited: what a time can be trusted for depends on whether its output is known.
 */
#include <stdlib.h>

#include "proto/base/clock.h"
#include "proto/base/rank.h"
#include "worker/trial/trial.h"

#define SETUP_NS	20000000000u

/* Where files and processes are not the jail's own, a program would see the host's. */
static enum status
check_jail(struct trial *t)
{
	const struct jail_support	*s = jail_support();

	if (s->seccomp && s->mount && s->pid)
		return trial_check_slot(t);
	return fault_at(&t->why, ST_BAD_SPEC, "spec.program", "needs seccomp, a mount namespace "
	    "and a process namespace, which this host does not grant");
}

static enum status
open_bench(struct trial *t)
{
	struct supervisor		*s = t->s;
	const struct tick		*tick = supervisor_tick(s, CLK_AUTO);
	const char			*name = t->job->variant.name;
	const struct program_config	 config = { .slot = &s->slot, .path = t->objects.variant,
	    .name = name[0] != '\0' ? name : "program", .program = &t->job->spec.program,
	    .threads = t->job->threads, .copies = t->job->copies, .profile = t->job->profile,
	    .setup_limit_ns = SETUP_NS };
	const uint64_t			 began_ns = clock_now_ns();
	struct program_bench		*b;
	enum status			 st;

	if ((st = program_bench_new(&b, &config, &t->why)) != ST_OK)
		return st;
	t->setup_ns = clock_now_ns() - began_ns;
	s->gate.resolution_ticks = tick->resolution_ns * tick->hz / 1e9;
	if (program_bench_rest_pace(b) != 0 && t->job->spec.timing.frequency_khz == 0)
		gate_rest(&s->gate, program_bench_rest_pace(b), clock_now_ns());
	if ((st = program_lane_begin(&t->program, b, &t->deadline_ns, t->job, &t->why)) != ST_OK ||
	    t->job->copies == 1)
		return st;
	return copies_begin(&t->copies, program_lane_copies(&t->program), &t->deadline_ns,
	    t->job->copies, &t->why);
}

static struct take_setting
setting(struct trial *t)
{
	const bool	alone = t->copies.n == 0;

	return (struct take_setting){
		.orders = alone ? program_lane_link(&t->program) : copies_link(&t->copies),
		.samples = alone ? program_lane_link(&t->program) : copies_kept_link(&t->copies),
		.clock = &take_clock_real, .tick = trial_tick(t), .gate = &t->s->gate,
		.host = &t->host, .deadline_ns = t->deadline_ns,
		.race = t->job->race.is_asked ? &t->job->race : NULL };
}

static bool
is_checked(const struct program *p)
{
	return p->output != NULL || p->output_sha256 != NULL;
}

static void
judge_trust(struct trial *t)
{
	struct job_audit	*a = &t->pipeline.audit[PAIRS_VARIANT];

	a->trust = is_checked(&t->job->spec.program) ? TRUST_AUDITED : TRUST_CLAIMED;
	a->why_claimed = a->trust == TRUST_CLAIMED ?
	    "nothing says what the program must print" : NULL;
}

enum status
trial_program(struct trial *t)
{
	struct bench_reply	*reply = &t->s->reply;
	struct take_setting	 with;
	enum status		 st;

	if ((st = check_jail(t)) != ST_OK || (st = open_bench(t)) != ST_OK)
		return st;
	t->deadline_ns = clock_now_ns() + (uint64_t)t->job->run_timeout_ms * 1000000u;
	t->node = NODE_UNKNOWN;
	if (t->job->spec.iterations != NULL)
		t->iterations = t->job->spec.iterations_count;
	with = setting(t);
	if ((st = take_samples(&t->take, &t->plan, &with, reply)) != ST_OK)
		return fault_set(&t->why, st, "%s", reply->words);
	t->has_samples = true;
	judge_trust(t);
	return trial_judge_noise(t);
}

/* ---- the report ---- */

typedef double run_fn(const struct program_run *);

static double
cpu_of(const struct program_run *r)
{
	return (double)r->cpu_ns;
}

static double
faults_of(const struct program_run *r)
{
	return (double)r->faults;
}

static double
switches_of(const struct program_run *r)
{
	return (double)r->switches;
}

static double
output_of(const struct program_run *r)
{
	return (double)r->output_bytes;
}

/* 0: there are no runs. */
static double
median(const struct program_lane *l, run_fn *of)
{
	double	*x = calloc(l->runs, sizeof *x), middle;

	if (x == NULL || l->runs == 0) {
		free(x);
		return 0;
	}
	for (size_t i = 0; i < l->runs; i++)
		x[i] = of(&l->run[i]);
	qsort(x, l->runs, sizeof *x, rank_ascending);
	middle = rank_middle(x, l->runs);
	free(x);
	return middle;
}

void
trial_put_program(struct program_report *out, const struct trial *t)
{
	const struct program_lane	*l = &t->program;

	*out = (struct program_report){
		.floor_ns = (double)t->take.overhead_ticks,	/* of clocks that tick so */
		.cpu_ns = median(l, cpu_of), .page_faults = (uint64_t)median(l, faults_of),
		.involuntary_switches = (uint64_t)median(l, switches_of),
		.output_bytes = (uint64_t)median(l, output_of),
		.output = is_checked(&t->job->spec.program) ? "checked" : "not checked" };
	for (size_t i = 0; i < l->runs; i++)
		if (l->run[i].max_rss_bytes > out->max_rss_bytes)
			out->max_rss_bytes = l->run[i].max_rss_bytes;
}

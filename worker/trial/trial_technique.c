/* SPDX-License-Identifier: Apache-2.0 */
/* How a trial was timed, for its report. */
#include <math.h>

#include "proto/driver/driver.h"
#include "worker/bench/proc/affinity.h"
#include "worker/evidence/operands.h"
#include "worker/plan/rotation.h"
#include "worker/trial/trial_copies.h"
#include "worker/trial/trial_report.h"

enum { MAX_GUARDS = 4 };

static const char *
context_word(const struct spec *s)
{
	static const char *const	words[CONTEXT_N] = { "cold", "warm", "flush_bytes",
	    "flush_level" };

	return words[s->context];
}

/*
 * A default timer makes its operands up.  If a routine's time depends on their contents, it needs
 * its application's.
 */
static const char *
data_word(const struct spec *s)
{
	if (s->checkpoint != NULL)
		return "captured";
	if (s->program.present)
		return "given";
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && (s->args[i].operand.init.kind == INIT_DATA ||
		    spec_is_filled(s, i)))
			return "given";
	return "generated";
}

static const char *
walk_word(const struct plan *p)
{
	static const char *const	words[RUNNER_NWALKS] = { NULL, "backward", "forward",
	    "random", "again", "stroll" };

	return words[p->run.walk];
}

static const char *
inout_word(const struct plan *p)
{
	if (!p->has_inout)
		return NULL;
	if (p->run.restore == RUNNER_KEEP)
		return "kept";
	return p->run.walk != RUNNER_STAY || p->run.calls == 1 ? "restored per call" :
	    "restored per sample";
}

static bool
has_operands(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand)
			return true;
	return false;
}

/*
 * The names are Whaley and Castaldo's (section 5).  Only guards of samples that were taken: none
 * without one.  An image has its memory where its application had it.
 */
static bool
put_guards(struct shape_texts *out, const struct trial *t)
{
	const struct spec	*s = &t->job->spec;
	const bool		 ran = t->has_samples;
	const bool		 has_memory = s->checkpoint != NULL || has_operands(s);
	const struct {
		const char	*name;
		bool		 in_force;
	} guards[MAX_GUARDS] = {
		{ "Page0Guard", ran && has_memory },
		{ "InstLdGuard", ran && plan_has_code_in_cache(&t->plan) },
		{ "MemAlign", ran && has_operands(s) && s->checkpoint == NULL },
		{ "RangeGuard", ran && t->plan.guard != GUARD_NONE },
	};
	size_t			 n = 0;

	for (unsigned i = 0; i < MAX_GUARDS; i++)
		n += guards[i].in_force;
	if (!shape_texts_make(out, n))
		return false;
	n = 0;
	for (unsigned i = 0; i < MAX_GUARDS; i++)
		if (guards[i].in_force)
			out->x[n++] = guards[i].name;
	return true;
}

/*
 * The timer of the two (automated timer generation, section 3): with made-up operands, or a
 * checkpoint's.
 */
static void
put_timer(struct technique *out, const struct trial *t)
{
	const struct spec	*s = &t->job->spec;
	const struct checkpoint	*c = &t->s->checkpoint;

	out->timer = s->data_sensitive ? "default; a checkpoint has its data" : "default";
	if (s->checkpoint == NULL)
		return;
	out->timer = "checkpoint";
	out->has_checkpoint = true;
	out->checkpoint = (struct image_report){ s->checkpoint, c->digest.hex, c->bytes,
	    t->image_calls };
}

/*
 * Bound of what the ends of a region moved the time by; with the doubling method they are in
 * neither region.
 */
static void
put_bias(struct sample_technique *out, const struct plan *p, const struct take *k,
    const struct tick *tick)
{
	const uint64_t	finest = (uint64_t)(tick->resolution_ns * tick->hz / 1e9 + 0.5);
	const uint64_t	edge = k->edge_ticks > finest ? k->edge_ticks : finest;

	if (k->has_edge)
		out->edge_ns = tick_ns(tick, edge);
	if (k->has_edge && !p->difference && k->region_ticks > 0)
		out->bias_bound = (double)edge / (double)k->region_ticks;
}

/* Other treatment of operands that were not in the caches when a call began. */
static void
put_flush(struct flush_technique *out, const struct plan *p, const struct take *k)
{
	out->memory_canary = k->memory_off != NULL ? k->memory_off : "on";
	out->tlb = plan_has_cold_tlb(p) ? "cold" : "kept";
	out->page_tables = plan_page_tables(p);
	out->flush_cpus = p->cpus;
	if (plan_has_cold_code(p))
		out->code = "cold";
	else if (plan_has_code_in_cache(p))
		out->code = "in cache";
	if (k->cold.sets_touched != 0)
		out->working_sets_touched = k->cold.sets_touched;
}

/* CPUs of the routine: each of its threads was bound to one of them, the first to the first. */
static bool
put_cpus(struct sample_technique *out, const struct trial *t)
{
	cpu_set_t	cpus;
	size_t		n = 0;

	out->cpu = t->s->slot.cpu;
	if (t->copies.n > 1)
		return trial_put_copies_cpus(&out->cpus, t);
	affinity_cpus(&t->s->slot, t->job->threads, &cpus);
	if (!shape_sizes_make(&out->cpus, (size_t)CPU_COUNT(&cpus)))
		return false;
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			out->cpus.x[n++] = cpu;
	return true;
}

/* The paper has the least by a wall clock, the median of CPU time, of one process. */
static const char *
sampling_word(const struct timing *timing, const struct take *k)
{
	const bool	is_cpu = timing->clock == CLK_CPU;

	if (k->samples < 2)
		return "one sample";
	if (timing_estimator(timing, true) == (is_cpu ? EST_MEDIAN : EST_MIN))
		return "MultTimingSamples";
	return k->processes > 1 ? "medians of processes" : "median";
}

static bool
put_sampling(struct sample_technique *out, struct trial *t)
{
	const struct plan	*p = &t->plan;
	const struct take	*k = &t->take;
	const struct tick	*tick = trial_tick(t);

	put_bias(out, p, k, tick);
	out->awake = p->run.awake;
	out->sampling = sampling_word(&t->job->spec.timing, k);
	out->overhead_ns = tick_ns(tick, k->overhead_ticks);
	out->overhead_subtracted = plan_subtracts(p);
	out->empty_call_ns = tick_ns(tick, k->empty_ticks) / (double)p->run.calls;
	out->has_serialised = p->run.calls > 1;
	out->serialised = plan_has_fences(p);
	out->difference = p->difference;
	out->within_noise = k->within_noise;
	out->scheduling = k->realtime ? "fifo" : "other";
	out->ended_by = k->ended_by;
	out->canary = k->canary_off != NULL ? k->canary_off : "on";
	out->numa_node = plan_is_challenge(p) ? NODE_UNKNOWN : t->node;
	out->has_interval = p->interval != 0;
	out->interval = (struct interval_report){ p->interval,
	    isfinite(k->width) ? k->width : NAN };
	if (t->copies.n > 1)
		out->copies = t->copies.n;
	return !k->pinned || put_cpus(out, t);
}

/* With challenges, operands lie in shared memory. */
static bool
knows_lodging(const struct trial *t)
{
	return t->has_samples && !plan_is_challenge(&t->plan);
}

static void
put_inputs(struct technique *out, const struct trial *t)
{
	const struct take	*k = &t->take;
	/* each process begins its walk with the same sets */
	const uint64_t		 apart = plan_walks(&t->plan) && k->processes > 1 ?
				    k->processes : 1;

	out->inputs = t->has_samples ? rotation_inputs(&t->plan, k->taken / apart) :
	    SHAPE_NO_SIZE;
	out->rotation = !rotation_is_on(&t->plan) ? "none" : t->rotates_by_itself ? "learned" :
	    "asked";
}

bool
trial_put_technique(struct technique *out, struct trial *t)
{
	const struct spec	*s = &t->job->spec;
	const struct plan	*p = &t->plan;
	const struct tick	*tick = trial_tick(t);

	out->context = context_word(s);
	out->method = plan_method_name(p);
	out->clock = clock_name(tick->clock);
	out->counter = tick_counter(tick->clock);
	out->tick_hz = tick->hz;
	out->resolution_ns = tick->resolution_ns;
	out->clock_overhead_ns = tick->overhead_ns;
	out->samples = t->has_samples ? t->take.samples : 0;
	out->calls = p->run.calls;
	out->working_sets = p->sets != 0 ? p->sets : p->run.walk == RUNNER_STROLL ?
	    p->stroll.sets : 1;
	put_inputs(out, t);
	out->walk = walk_word(p);
	out->flush_bytes = p->flush_bytes;
	out->flush_size = plan_origin_name(p->origin);
	out->data = data_word(s);
	out->inout = inout_word(p);
	put_timer(out, t);
	range_guard_report(p, s, &out->range_guard);
	out->is_sampled = t->has_samples;
	if ((out->is_flushed = t->has_samples && plan_flushes(p)))
		put_flush(&out->flush, p, &t->take);
	return put_guards(&out->guards, t) &&
	    operands_report(s, knows_lodging(t) ? t->lodging : NULL, &out->operands) &&
	    (!t->has_samples || put_sampling(&out->sample, t));
}

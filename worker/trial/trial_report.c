/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of a trial to the daemon (proto/wire/report.h).  The parts fill in what they know of;
 * this file has the samples, the technique, and the order of all.
 */
#include <math.h>

#include "proto/base/clock.h"
#include "proto/driver/driver.h"
#include "proto/wire/report.h"
#include "worker/bench/affinity.h"
#include "worker/bench/filters.h"
#include "worker/cache/codesize.h"
#include "worker/evidence/conflict.h"
#include "worker/evidence/operands.h"
#include "worker/evidence/places.h"
#include "worker/plan/rotation.h"
#include "worker/quiet/gate_report.h"
#include "worker/spawn/containment.h"
#include "worker/taken/pace.h"
#include "worker/trial/trial.h"
#include "worker/trial/trial_copies.h"

enum { MAX_GUARDS = 4 };
#define QUIET_EVERY_NS	1000000000u

/* Texts of a report that are made for it. */
struct report_words {
	char		 range[RANGE_WORDS];
	char		 got[ANSWER_WORDS], want[ANSWER_WORDS];
};

/* ---- samples ---- */

typedef double sample_fn(const struct take_sample *);

static double
ns_of(const struct take_sample *s)
{
	return s->ns;
}

static double
against_of(const struct take_sample *s)
{
	return s->against_ticks != 0 ? s->against_ns : 0;
}

static double
canary_of(const struct take_sample *s)
{
	return s->canary_ratio;
}

static double
pace_of(const struct take_sample *s)
{
	return s->pace;
}

static double
slowness_of(const struct take_sample *s)
{
	return s->slowness;
}

static double
memory_of(const struct take_sample *s)
{
	return s->memory_ratio;
}

/*
 * More digits mean nothing: a region has fewer ticks.  They would be most of a result's text, and
 * of the time to write and read it.
 */
static double
ten_digits(double x)
{
	double	unit = 1;

	if (!(fabs(x) > 1e-12 && fabs(x) < 1e9))
		return x;
	while (fabs(x) * unit < 1e9)
		unit *= 10;
	return nearbyint(x * unit) / unit;
}

/* One number of each sample; none at all if some samples lack the reading. */
static bool
put_list(struct shape_reals *out, const struct take *k, sample_fn *of, bool is_reading)
{
	for (size_t i = 0; is_reading && i < k->samples; i++)
		if (of(&k->sample[i]) <= 0)
			return true;
	if (!shape_reals_make(out, k->samples))
		return false;
	for (size_t i = 0; i < k->samples; i++)
		out->x[i] = ten_digits(of(&k->sample[i]));
	return true;
}

static bool
put_ticks(struct shape_sizes *out, const struct take *k)
{
	if (!shape_sizes_make(out, k->samples))
		return false;
	for (size_t i = 0; i < k->samples; i++)
		out->x[i] = k->sample[i].raw.ticks;
	return true;
}

static bool
put_processes(struct shape_sizes *out, const struct take *k)
{
	if (!shape_sizes_make(out, k->samples))
		return false;
	for (size_t i = 0; i < k->samples; i++)
		out->x[i] = k->sample[i].process;
	return true;
}

static bool
put_places(struct samples *out, const struct take *k)
{
	if (!shape_sizes_make(&out->loud, k->samples) ||
	    !shape_sizes_make(&out->disturbed, k->samples))
		return false;
	out->loud.n = out->disturbed.n = 0;
	for (size_t i = 0; i < k->samples; i++) {
		if (k->sample[i].loud)
			out->loud.x[out->loud.n++] = i;
		if (k->sample[i].disturbed)
			out->disturbed.x[out->disturbed.n++] = i;
	}
	return true;
}

static bool
put_samples(struct samples *out, const struct take *k, bool compares)
{
	/* that a forged side took nothing is a time of it, not a reading that is missing */
	return put_list(&out->ns, k, ns_of, false) &&
	    put_list(&out->against_ns, k, against_of, !compares) && put_ticks(&out->ticks, k) &&
	    put_list(&out->canary, k, canary_of, true) && put_list(&out->pace, k, pace_of, true) &&
	    put_list(&out->slowness, k, slowness_of, true) &&
	    put_list(&out->memory, k, memory_of, true) && put_processes(&out->process, k) &&
	    put_places(out, k);
}

/* ---- technique ---- */

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

static bool
put_technique(struct technique *out, struct trial *t)
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

/* ---- evidence ---- */

/* Readings of the sentinel lines; a reading of less than the limit was not cold. */
static void
put_sentinel(struct sample_evidence *out, const struct plan *p, const struct take *k,
    const struct tick *tick)
{
	const struct cold	*c = &k->cold;
	uint64_t		 least = UINT64_MAX;

	out->has_sentinel = true;
	if (c->off != NULL || c->read == 0) {
		out->sentinel.off = c->off != NULL ? c->off :
		    plan_has_cold_code(p) ? "off: no operand is cold" :
		    "off: a sample has too few calls";
		return;
	}
	for (size_t i = 0; i < k->samples; i++)
		if (k->sample[i].raw.sentinel != 0 && k->sample[i].raw.sentinel < least)
			least = k->sample[i].raw.sentinel;
	out->sentinel = (struct sentinel_report){ .least_ns = tick_ns(tick, least),
	    .limit_ns = tick_ns(tick, (uint64_t)c->limit_ticks),
	    .hot_ns = tick_ns(tick, c->hot_ticks), .read = c->read, .not_cold = c->warm };
}

/* How busy memory was, and its effect on cold times, as far as a calibration has shown it. */
static void
put_memory(struct sample_evidence *out, const struct take *k, const struct memory_gate *gate,
    const struct tick *tick)
{
	if (!(out->has_memory = k->memory_ticks != 0))
		return;
	out->memory = (struct memory_report){ tick_ns(tick, k->memory_ticks), NAN, NAN };
	if (!memory_gate_is_calibrated(gate))
		return;
	out->memory.ratio = memory_gate_ratio(gate, k->memory_ticks);
	out->memory.longer = memory_gate_longer(gate, out->memory.ratio);
}

/* Lines of the routine's code that were read in a region's place. */
static void
put_code(struct code_report *out, const struct cold *c)
{
	if (c->off == NULL)
		*out = (struct code_report){ c->proved, c->found };
}

/* Of a few hundred lines that were read: the rest of its digits says nothing. */
static double
share(double x)
{
	return nearbyint(x * 1e9) / 1e9;
}

/* Where operands were, if lines of them were read. */
static bool
put_proof(struct sample_evidence *out, const struct trial *t)
{
	const struct runner_proof	*proof = &t->take.proof;
	const unsigned			 n = proof->proofs != 0 ? plan_operands(&t->plan) : 0;
	struct place_report		*each;

	if (!shape_list_make(&out->places, n, sizeof *each))
		return false;
	each = out->places.at;
	for (unsigned k = 0; k < n; k++) {
		const struct places	p = places_of(proof, k);
		const unsigned		asked = plan_levels(&t->plan, k);

		each[k] = (struct place_report){ .name = plan_operand_name(&t->plan, k),
			.asked = plan_state_name(&t->plan, k), .judged = asked != 0,
			.read = p.read, .nearer = share(places_nearer(&p, asked)),
			.farther = share(places_farther(&p, asked)),
			.l1 = share(p.share[RUNNER_L1]), .l2 = share(p.share[RUNNER_L2]),
			.l3 = share(p.share[RUNNER_L3]), .memory = share(p.share[RUNNER_MEMORY]) };
	}
	return true;
}

static double
least_ns(const struct take *k)
{
	double	least = k->samples > 0 ? k->sample[0].ns : 0;

	for (size_t i = 1; i < k->samples; i++)
		least = fmin(least, k->sample[i].ns);
	return least;
}

static void
put_counts(struct sample_evidence *out, const struct take *k)
{
	out->taken = k->taken;
	out->rejected = k->rejected;
	out->reject_rate = k->taken > 0 ? (double)k->rejected / k->taken : 0;
	out->kept_unfit = k->kept_unfit;
	out->canary_rejected = k->loud;
	out->memory_rejected = k->memory_loud;
	out->canary_base_ticks = k->canary_base_ticks;
	out->has_clock = k->clock > 0;
	out->clock = (struct clock_evidence){ k->clock, k->own_clock };
	out->patience_ms = (double)k->patience_ns / 1e6;
	out->waited_ms = (double)k->waited_ns / 1e6;
	out->involuntary_switches = k->switches;
	out->migrations = k->migrations;
	out->faults = k->faults;
	out->own_faults = k->own_faults;
	out->cut_short = k->cut_short;
}

static const struct job_audit *
weakest_of(const struct trial *t)
{
	return job_audit_weakest(t->pipeline.audit, t->compares ? PAIRS_SIDES : 1);
}

static void
put_trust(struct sample_evidence *out, const struct trial *t)
{
	const struct job_audit	*a = t->pipeline.audit;

	out->has_audits = job_audit_report(&a[PAIRS_VARIANT], &out->audits);
	out->has_against_audits = t->compares &&
	    job_audit_report(&a[PAIRS_AGAINST], &out->against_audits);
	out->claimed = weakest_of(t)->why_claimed;
}

/* Of one input, by the core, as far as it was looked for. */
static void
put_learned(struct sample_evidence *out, const struct learned *l)
{
	out->learned = l->is_known ? l->ratio : NAN;
	out->has_learned_interval = l->is_known;
	out->learned_interval[0] = l->low;
	out->learned_interval[1] = l->high;
}

static bool
put_sample_evidence(struct sample_evidence *out, struct trial *t)
{
	const struct take	*k = &t->take;

	put_counts(out, k);
	put_trust(out, t);
	put_learned(out, &t->learned[PAIRS_VARIANT]);
	out->against_learned = t->learned[PAIRS_AGAINST].is_known ?
	    t->learned[PAIRS_AGAINST].ratio : NAN;
	host_evidence_report(&t->host, out);
	put_memory(out, k, &t->s->gate.memory, supervisor_tick(t->s, CLK_AUTO));
	if (plan_flushes(&t->plan))
		put_sentinel(out, &t->plan, k, supervisor_tick(t->s, CLK_AUTO));
	if ((out->has_code = plan_has_cold_code(&t->plan)))
		put_code(&out->code, &k->code);
	if (k->warm_calls > 0)
		out->warm_calls = k->warm_calls;
	if (k->warm_ns > 0) {
		out->warm_ns = k->warm_ns;
		out->cold_over_warm = least_ns(k) / k->warm_ns;
	}
	return put_proof(out, t) && trial_put_skew(out, t);
}

static bool
put_evidence(struct evidence *out, struct trial *t, struct report_words *words)
{
	out->setup_ms = (double)t->setup_ns / 1e6;
	out->load_ms = (double)t->load_ns / 1e6;
	out->jail = containment_now();
	if (out->jail.seccomp && !filters_are_counted("/proc"))
		out->jail.filters = "not counted";
	out->failed = t->failed;
	out->failed_in = t->phase;
	if (!conflict_report(&t->job->spec, &t->s->slot, &out->conflicts))
		return false;
	if (!range_report(&t->range, &t->job->spec, words->range, &out->range, &out->has_range))
		return false;
	out->is_sampled = t->has_samples;
	if ((out->has_program = t->has_samples && t->job->spec.program.present))
		trial_put_program(&out->program, t);
	return !t->has_samples || put_sample_evidence(&out->sample, t);
}

/* ---- comparison ---- */

/*
 * The faster.  Of two that are indistinguishable the one with less code, if that was asked for and
 * there is one.
 */
static void
name_winner(struct comparison *out, const struct paired *found, const struct contest *rule)
{
	const uint64_t	*bytes = out->code_bytes;

	out->winner = out->tie_broken_by = NULL;
	if (found->verdict != VERDICT_INDISTINGUISHABLE)
		out->winner = found->verdict == VERDICT_FASTER ? "b" : "a";
	else if (rule->by_size && bytes[0] != bytes[1] && bytes[0] != SHAPE_NO_SIZE &&
	    bytes[1] != SHAPE_NO_SIZE) {
		out->winner = bytes[0] < bytes[1] ? "a" : "b";
		out->tie_broken_by = "size";
	}
}

static uint64_t
code_bytes(const char *object)
{
	const uint64_t	bytes = codesize_of(object);

	return bytes != 0 ? bytes : SHAPE_NO_SIZE;
}

/* a is `against`, b the variant. */
static void
put_comparison(struct comparison *out, const struct trial *t)
{
	const struct paired	*found = &t->looks_end.found;
	const struct contest	*rule = &t->job->contest;

	*out = (struct comparison){ .verdict = verdict_name(found->verdict), .ratio = found->ratio,
	    .has_interval = found->has_interval, .interval = { found->low, found->high },
	    .error = rule->error, .resolution = rule->resolution, .pairs = found->pairs,
	    .groups = found->groups, .within = found->within, .between = found->between,
	    .looks = t->looks_end.looks, .ended_by = t->looks_end.by,
	    .code_bytes = { code_bytes(t->objects.against), code_bytes(t->objects.variant) },
	    .trust = { audit_trust_word(t->pipeline.audit[PAIRS_AGAINST].trust),
	    audit_trust_word(t->pipeline.audit[PAIRS_VARIANT].trust) } };
	name_winner(out, found, rule);
}

/* Pairs with a suspect side are worthless. */
static bool
has_comparison(const struct trial *t, enum status outcome)
{
	return t->has_samples && t->compares && (outcome == ST_OK || outcome == ST_TOO_NOISY) &&
	    t->looks_end.found.pairs != 0;
}

/* ---- the whole ---- */

static bool
put_findings(struct findings *out, struct trial *t, struct report_words *words)
{
	out->has_technique = t->has_plan;
	out->has_check = t->has_answer;
	out->has_evidence = true;
	if (t->has_answer)
		answer_report(&t->answer, words->got, words->want, &out->check);
	if (t->has_samples)
		out->trust = audit_trust_word(weakest_of(t)->trust);
	if (t->has_metric && !metric_report(&t->metric, t->iterations, &out->metrics))
		return false;
	return (!t->has_plan || put_technique(&out->technique, t)) &&
	    counter_report(&t->counters, &out->counters) && put_evidence(&out->evidence, t, words);
}

/* The gate's knowledge, at most once in QUIET_EVERY_NS. */
static void
put_quiet(struct report *r, struct supervisor *s, const struct tick *tick)
{
	const uint64_t	now_ns = clock_now_ns();

	if (s->quiet_sent_ns != 0 && now_ns - s->quiet_sent_ns < QUIET_EVERY_NS)
		return;
	s->quiet_sent_ns = now_ns;
	r->has_quiet = true;
	r->quiet = gate_state_of(&s->gate, tick, now_ns);
}

/* NaN: not known. */
static double
core_ghz(struct trial *t)
{
	const double	ghz = t->has_samples && !plan_is_challenge(&t->plan) ?
			    pace_ghz(&t->take, &t->s->gate, supervisor_tick(t->s, CLK_AUTO)) : 0;

	return ghz > 0 ? ghz : NAN;
}

char *
trial_report(struct trial *t, enum status outcome)
{
	const struct tick	*tick = supervisor_tick(t->s, CLK_AUTO);
	struct report_words	 words;
	struct report		 r;
	char			*text = NULL;
	bool			 done;

	report_clear(&r);
	r.run_ms = (double)(clock_now_ns() - t->began_ns) / 1e6;
	r.artifact_missing = t->artifact_missing;
	r.iterations = t->iterations > 0 ? t->iterations : NAN;
	r.core_ghz = core_ghz(t);
	r.bound_ns = t->take.raced ? t->take.bound_ns : NAN;
	r.canary = gate_canary_report(&t->s->gate, tick);
	put_quiet(&r, t->s, tick);
	done = put_findings(&r.found, t, &words) &&
	    (!t->has_samples || (put_samples(&r.samples, &t->take, t->compares) &&
	    trial_put_cores(&r.cores, t)));
	if ((r.has_comparison = has_comparison(t, outcome)))
		put_comparison(&r.comparison, t);
	if (done && (r.has_layout = t->has_samples))
		done = spread_report(t->has_spread ? &t->spread : NULL, t->job,
		    t->code_at, &r.layout);
	if (done)
		text = report_put(&r);
	report_release(&r);
	return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What was seen while a trial was timed, for its report. */
#include <math.h>

#include "worker/bench/proc/filters.h"
#include "worker/evidence/conflict.h"
#include "worker/evidence/places.h"
#include "worker/spawn/containment.h"
#include "worker/trial/trial_copies.h"
#include "worker/trial/trial_report.h"

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

static void
put_trust(struct sample_evidence *out, const struct trial *t)
{
	const struct job_audit	*a = t->pipeline.audit;

	out->has_audits = job_audit_report(&a[PAIRS_VARIANT], &out->audits);
	out->has_against_audits = t->compares &&
	    job_audit_report(&a[PAIRS_AGAINST], &out->against_audits);
	out->claimed = trial_weakest_audit(t)->why_claimed;
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

bool
trial_put_evidence(struct evidence *out, struct trial *t, char range[RANGE_WORDS])
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
	if (!range_report(&t->range, &t->job->spec, range, &out->range, &out->has_range))
		return false;
	out->is_sampled = t->has_samples;
	if ((out->has_program = t->has_samples && t->job->spec.program.present))
		trial_put_program(&out->program, t);
	return !t->has_samples || put_sample_evidence(&out->sample, t);
}

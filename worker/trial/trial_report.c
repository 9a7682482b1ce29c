/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of a trial to the daemon (proto/wire/report.h).  The parts fill in what they know of;
 * this file has the samples, the comparison, and the order of all.
 */
#include <math.h>
#include <string.h>

#include "proto/base/clock.h"
#include "worker/cache/codesize.h"
#include "worker/quiet/gate_report.h"
#include "worker/taken/pace.h"
#include "worker/trial/trial_copies.h"
#include "worker/trial/trial_report.h"

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
	    !shape_sizes_make(&out->beside.disturbed, k->samples))
		return false;
	out->loud.n = out->beside.disturbed.n = 0;
	for (size_t i = 0; i < k->samples; i++) {
		if (k->sample[i].loud)
			out->loud.x[out->loud.n++] = i;
		if (k->sample[i].disturbed)
			out->beside.disturbed.x[out->beside.disturbed.n++] = i;
	}
	return true;
}

static bool
put_samples(struct samples *out, const struct take *k, bool compares)
{
	struct sample_readings	*beside = &out->beside;

	/* that a forged side took nothing is a time of it, not a reading that is missing */
	return put_list(&out->ns, k, ns_of, false) &&
	    put_list(&out->against_ns, k, against_of, !compares) && put_ticks(&beside->ticks, k) &&
	    put_list(&beside->canary, k, canary_of, true) &&
	    put_list(&beside->pace, k, pace_of, true) &&
	    put_list(&out->slowness, k, slowness_of, true) &&
	    put_list(&beside->memory, k, memory_of, true) && put_processes(&out->process, k) &&
	    put_places(out, k);
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

const struct job_audit *
trial_weakest_audit(const struct trial *t)
{
	return job_audit_weakest(t->pipeline.audit, t->compares ? PAIRS_SIDES : 1);
}

static bool
put_findings(struct findings *out, struct trial *t, struct report_words *words)
{
	out->has_technique = t->has_plan;
	out->has_check = t->has_answer;
	out->has_evidence = true;
	if (t->has_answer)
		answer_report(&t->answer, words->got, words->want, &out->check);
	if (t->has_samples)
		out->trust = audit_trust_word(trial_weakest_audit(t)->trust);
	if (t->has_metric && !metric_report(&t->metric, t->iterations, &out->metrics))
		return false;
	return (!t->has_plan || trial_put_technique(&out->technique, t)) &&
	    counter_report(&t->counters, &out->counters) &&
	    trial_put_evidence(&out->evidence, t, words->range);
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

/* What the daemon would else have to read out of technique and evidence. */
static void
put_tally(struct report *r)
{
	const struct sample_technique	*t = &r->found.technique.sample;
	const struct sample_evidence	*e = &r->found.evidence.sample;

	r->has_tally = r->found.technique.is_sampled && r->found.evidence.is_sampled;
	if (r->has_tally)
		r->tally = (struct sample_tally){ strcmp(t->canary, "on") == 0, e->taken,
			e->canary_rejected, e->memory_rejected };
}

char *
trial_report(struct trial *t, enum status outcome, struct kept *kept)
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
	if (done) {
		put_tally(&r);
		text = report_put(&r, kept);
	}
	report_release(&r);
	return text;
}

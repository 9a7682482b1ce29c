/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "worker/bench/affinity.h"
#include "worker/bench/numa.h"
#include "worker/build/driver.h"
#include "worker/spawn/containment.h"
#include "worker/spawn/spawn.h"
#include "worker/trial/report.h"

static json_t *
samples_json(const struct take *k)
{
	json_t	*list = json_array();

	for (size_t i = 0; list != NULL && k != NULL && i < k->samples; i++) {
		const struct take_sample	*s = &k->sample[i];
		json_t				*o;

		o = json_pack("{s:f, s:I}", "ns", s->ns, "ticks", (json_int_t)s->ticks);
		if (s->against_ticks != 0)
			(void)json_object_set_new(o, "against_ns", json_real(s->against_ns));
		if (s->canary_ratio > 0)
			(void)json_object_set_new(o, "canary", json_real(s->canary_ratio));
		if (s->pace > 0)
			(void)json_object_set_new(o, "pace", json_real(s->pace));
		if (s->slowness > 0)
			(void)json_object_set_new(o, "slowness", json_real(s->slowness));
		if (s->memory_ratio > 0)
			(void)json_object_set_new(o, "memory", json_real(s->memory_ratio));
		if (s->loud)
			(void)json_object_set_new(o, "loud", json_true());
		if (s->disturbed)
			(void)json_object_set_new(o, "disturbed", json_true());
		(void)json_array_append_new(list, o);
	}
	return list;
}

static const char *
context_word(const struct spec *s)
{
	static const char *const	words[CONTEXT_N] = { "cold", "warm", "flush_bytes", "flush_level" };

	return words[s->context];
}

/* A default timer makes its operands up; a routine whose time depends on their contents needs its application's. */
static const char *
data_word(const struct spec *s)
{
	if (s->checkpoint != NULL)
		return "captured";
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && s->args[i].operand.init.kind == INIT_DATA)
			return "given";
	return "generated";
}

static const char *
walk_word(const struct plan *p)
{
	static const char *const	words[RUNNER_NWALKS] = { NULL, "backward", "forward", "random", "again" };

	return words[p->run.walk];
}

/* The names are Whaley and Castaldo's (section 5). */
static json_t *
guards_json(const struct plan *p)
{
	json_t	*list = json_pack("[s, s, s]", "Page0Guard", "InstLdGuard", "MemAlign");

	if (p->guard != GUARD_NONE)
		(void)json_array_append_new(list, json_string("RangeGuard"));
	return list;
}

static const char *
inout_word(const struct plan *p)
{
	if (!p->has_inout)
		return NULL;
	if (p->run.restore == RUNNER_KEEP)
		return "kept";
	return p->run.walk != RUNNER_STAY || p->run.calls == 1 ? "restored per call" : "restored per sample";
}

/* How well the median was to be known, and how well it was when that was last looked at. */
static json_t *
interval_json(const struct plan *p, const struct take *k)
{
	json_t	*o;

	if (p->interval == 0)
		return json_null();
	o = json_pack("{s:f}", "asked", p->interval);
	(void)json_object_set_new(o, "reached", isfinite(k->width) && k->width > 0 ? json_real(k->width) : json_null());
	return o;
}

/* How far the ends of a region may have moved the time; with the difference method they are in neither region. */
static void
put_bias(json_t *o, const struct report_facts *f)
{
	const struct take	*k = f->take;
	uint64_t		 finest = (uint64_t)(f->tick->resolution_ns * f->tick->hz / 1e9 + 0.5);
	uint64_t		 edge = k->edge_ticks > finest ? k->edge_ticks : finest;
	bool			 known = k->has_edge && !f->plan->difference && k->region_ticks > 0;

	(void)json_object_set_new(o, "difference", json_boolean(f->plan->difference));
	(void)json_object_set_new(o, "edge_ns", k->has_edge ? json_real(tick_ns(f->tick, edge)) : json_null());
	(void)json_object_set_new(o, "bias_bound", known ? json_real((double)edge / (double)k->region_ticks) :
	    json_null());
}

/* Null: nobody has seen to it. */
static json_t *
page_tables_json(const struct plan *p)
{
	const bool	moves = p->method == PLAN_ONE_LRU || p->method == PLAN_MULTI;

	if (p->method == PLAN_ONE_X86 || p->run.look_up)
		return json_string(tables_name(TABLES_CACHED));
	return moves && p->is_whole ? json_string(tables_name(TABLES_MEMORY)) : json_null();
}

/* What operands and core were like when a call began, beside the caches. */
static void
put_surroundings(json_t *o, const struct report_facts *f)
{
	const struct plan	*p = f->plan;
	const struct cold	*c = &f->take->cold;

	(void)json_object_set_new(o, "awake", json_boolean(p->run.awake));
	if (!plan_flushes(p))
		return;
	(void)json_object_set_new(o, "memory_canary",
	    json_string(f->take->memory_off != NULL ? f->take->memory_off : "on"));
	(void)json_object_set_new(o, "tlb", json_string(p->run.around || p->method == PLAN_MULTI ? "cold" : "kept"));
	(void)json_object_set_new(o, "page_tables", page_tables_json(p));
	(void)json_object_set_new(o, "flush_cpus", json_integer(p->cpus));
	if (p->method != PLAN_CHALLENGE)
		(void)json_object_set_new(o, "code", json_string("in cache"));
	(void)json_object_set_new(o, "working_sets_touched",
	    c->sets_touched != 0 ? json_integer((json_int_t)c->sets_touched) : json_null());
}

/* What reading the sentinel lines took; a reading of less than the limit was not cold. */
static json_t *
sentinel_json(const struct report_facts *f)
{
	const struct take	*k = f->take;
	const struct cold	*c = &k->cold;
	uint64_t		 least = UINT64_MAX;

	if (c->off != NULL || c->read == 0)
		return json_string(c->off != NULL ? c->off : "off: a sample has too few calls");
	for (size_t i = 0; i < k->samples; i++)
		if (k->sample[i].sentinel != 0 && k->sample[i].sentinel < least)
			least = k->sample[i].sentinel;
	return json_pack("{s:f, s:f, s:f, s:i, s:i}", "least_ns", tick_ns(f->canary_tick, least),
	    "limit_ns", tick_ns(f->canary_tick, (uint64_t)c->limit_ticks), "hot_ns",
	    tick_ns(f->canary_tick, c->hot_ticks), "read", (int)c->read, "not_cold", (int)c->warm);
}

/* Those that the routine had: each of its threads was bound to some of them, the first one to the first. */
static json_t *
cpus_json(const struct report_facts *f)
{
	json_t		*list = json_array();
	cpu_set_t	 cpus;

	affinity_cpus(f->slot, f->threads, &cpus);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			(void)json_array_append_new(list, json_integer(cpu));
	return list;
}

/* Which of the two timers (automated timer generation, section 3): one that makes operands up, or a checkpoint's. */
static void
put_timer(json_t *o, const struct report_facts *f)
{
	const struct checkpoint	*c = f->checkpoint;

	if (f->spec->checkpoint == NULL) {
		(void)json_object_set_new(o, "timer",
		    json_string(f->spec->data_sensitive ? "default; a checkpoint has its data" : "default"));
		return;
	}
	(void)json_object_set_new(o, "timer", json_string("checkpoint"));
	(void)json_object_set_new(o, "checkpoint", json_pack("{s:s, s:s, s:I, s:I}", "image", f->spec->checkpoint,
	    "sha256", c->digest.hex, "bytes", (json_int_t)c->bytes, "calls", (json_int_t)f->image_calls));
}

static json_t *
technique_json(const struct report_facts *f)
{
	const struct plan	*p = f->plan;
	const struct take	*k = f->take;
	json_t			*o;

	if (p == NULL)
		return json_null();
	o = json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:s*, s:I, s:o, s:s*, s:f, s:f}",
	    "context", context_word(f->spec),
	    "method", plan_method_name(p->method),
	    "clock", clock_name(f->tick->clock),
	    "samples", k != NULL ? (int)k->samples : 0,
	    "calls", (json_int_t)p->run.calls,
	    "working_sets", (json_int_t)(p->sets != 0 ? p->sets : 1),
	    "walk", walk_word(p),
	    "flush_bytes", (json_int_t)p->flush_bytes,
	    "guards", guards_json(p),
	    "inout", inout_word(p),
	    "tick_hz", f->tick->hz,
	    "resolution_ns", f->tick->resolution_ns);
	if (o == NULL)
		return o;
	put_timer(o, f);
	if (plan_area_name(p->area) != NULL)
		(void)json_object_set_new(o, "flush_size", json_string(plan_area_name(p->area)));
	(void)json_object_set_new(o, "counter", json_string(tick_counter(f->tick->clock)));
	(void)json_object_set_new(o, "clock_overhead_ns", json_real(f->tick->overhead_ns));
	(void)json_object_set_new(o, "data", json_string(data_word(f->spec)));
	(void)json_object_set_new(o, "range_guard", range_guard_json(p, f->spec));
	if (k == NULL)
		return o;
	put_surroundings(o, f);
	(void)json_object_set_new(o, "sampling", json_string(k->samples > 1 ? "MultTimingSamples" : "one sample"));
	(void)json_object_set_new(o, "overhead_ns", json_real(tick_ns(f->tick, k->overhead_ticks)));
	(void)json_object_set_new(o, "overhead_subtracted", json_boolean(!p->difference));
	(void)json_object_set_new(o, "empty_call_ns", json_real(tick_ns(f->tick, k->empty_ticks) / (double)p->run.calls));
	(void)json_object_set_new(o, "within_noise", json_boolean(k->within_noise));
	put_bias(o, f);
	(void)json_object_set_new(o, "scheduling", json_string(k->realtime ? "fifo" : "other"));
	(void)json_object_set_new(o, "ended_by", json_string(k->ended_by));
	(void)json_object_set_new(o, "interval", interval_json(p, k));
	(void)json_object_set_new(o, "canary", json_string(k->canary_off != NULL ? k->canary_off : "on"));
	(void)json_object_set_new(o, "numa_node", numa_json(p->method == PLAN_CHALLENGE ? NUMA_UNKNOWN : f->node));
	(void)json_object_set_new(o, "cpu", k->pinned ? json_integer(f->slot->cpu) : json_null());
	(void)json_object_set_new(o, "cpus", k->pinned ? cpus_json(f) : json_null());
	return o;
}

static double
least_ns(const struct take *k)
{
	double	least = 0;

	for (size_t i = 0; i < k->samples; i++)
		if (i == 0 || k->sample[i].ns < least)
			least = k->sample[i].ns;
	return least;
}

static const struct vetting *
weakest_of(const struct report_facts *f)
{
	return vet_weakest(f->vetting, f->vets_both ? PAIRS_SIDES : 1);
}

static json_t *
evidence_json(const struct report_facts *f)
{
	const struct take	*k = f->take;
	const struct vetting	*weakest = weakest_of(f);
	json_t			*o = json_pack("{s:f, s:f, s:o, s:s*}", "setup_ms", (double)f->setup_ns / 1e6,
				    "load_ms", (double)f->load_ns / 1e6, "jail", containment_json(), "failed_in",
				    f->phase);

	if (o == NULL)
		return o;
	if (f->who != NULL)
		(void)json_object_set_new(o, "failed", json_string(f->who));
	(void)json_object_set_new(o, "range", range_json(f->range, f->spec));
	if (k == NULL)
		return o;
	(void)json_object_set_new(o, "audits", vet_json(f->vetting));
	if (f->vets_both)
		(void)json_object_set_new(o, "against_audits", vet_json(&f->vetting[PAIRS_AGAINST]));
	if (weakest->why_claimed != NULL)
		(void)json_object_set_new(o, "claimed", json_string(weakest->why_claimed));
	(void)json_object_set_new(o, "taken", json_integer(k->taken));
	(void)json_object_set_new(o, "rejected", json_integer(k->rejected));
	(void)json_object_set_new(o, "reject_rate", json_real(k->taken > 0 ? (double)k->rejected / k->taken : 0));
	(void)json_object_set_new(o, "kept_unfit", json_integer(k->kept_unfit));
	(void)json_object_set_new(o, "canary_rejected", json_integer(k->loud));
	(void)json_object_set_new(o, "memory_rejected", json_integer(k->memory_loud));
	(void)json_object_set_new(o, "canary_base_ticks", json_integer((json_int_t)k->canary_base_ticks));
	if (k->clock > 0)
		(void)json_object_set_new(o, "clock", json_pack("{s:f, s:f}", "at_rest", k->clock, "sampling",
		    k->own_clock));
	(void)json_object_set_new(o, "patience_ms", json_real((double)k->patience_ns / 1e6));
	(void)json_object_set_new(o, "waited_ms", json_real((double)k->waited_ns / 1e6));
	(void)json_object_set_new(o, "involuntary_switches", json_integer((json_int_t)k->switches));
	(void)json_object_set_new(o, "migrations", json_integer((json_int_t)k->migrations));
	(void)json_object_set_new(o, "faults", json_integer((json_int_t)k->faults));
	(void)json_object_set_new(o, "own_faults", json_integer(k->own_faults));
	(void)json_object_set_new(o, "cut_short", json_boolean(k->cut_short));
	host_evidence_put(o, f->host);
	if (plan_flushes(f->plan))
		(void)json_object_set_new(o, "sentinel", sentinel_json(f));
	if (k->warm_ns > 0) {
		(void)json_object_set_new(o, "warm_ns", json_real(k->warm_ns));
		(void)json_object_set_new(o, "cold_over_warm", json_real(least_ns(k) / k->warm_ns));
	}
	return o;
}

static json_t *
bytes_json(uint64_t bytes)
{
	return bytes != 0 ? json_integer((json_int_t)bytes) : json_null();
}

/* The faster; of two that cannot be told apart the one with less code, if that was asked for and there is one. */
static const char *
winner_of(const struct report_facts *f, bool *by_size)
{
	const uint64_t	*bytes = f->code_bytes;

	*by_size = false;
	if (f->pairs->found.verdict != VERDICT_INDISTINGUISHABLE)
		return f->pairs->found.verdict == VERDICT_FASTER ? "b" : "a";
	if (!f->rule->by_size || bytes[0] == bytes[1] || bytes[0] == 0 || bytes[1] == 0)
		return NULL;
	*by_size = true;
	return bytes[0] < bytes[1] ? "a" : "b";
}

/* What the pairs came to; a is `against`, b the variant.  The daemon adds what it computes of the samples. */
static json_t *
comparison_json(const struct report_facts *f)
{
	const struct paired	*p;
	const char		*winner;
	bool			 by_size;

	if (f->rule == NULL || f->pairs->found.pairs == 0)
		return json_null();
	p = &f->pairs->found;
	winner = winner_of(f, &by_size);
	return json_pack("{s:s, s:f, s:o, s:f, s:f, s:i, s:i, s:s, s:[o, o], s:[s, s], s:s?, s:s?}", "verdict",
	    verdict_name(p->verdict), "ratio", p->ratio,
	    "interval", p->has_interval ? json_pack("[f, f]", p->low, p->high) : json_null(),
	    "error", f->rule->error, "resolution", f->rule->resolution, "pairs", (int)p->pairs,
	    "looks", (int)f->pairs->looks, "ended_by", f->pairs->by,
	    "code_bytes", bytes_json(f->code_bytes[0]), bytes_json(f->code_bytes[1]),
	    "trust", audit_trust_word(f->vetting[PAIRS_AGAINST].trust),
	    audit_trust_word(f->vetting[PAIRS_VARIANT].trust),
	    "winner", winner, "tie_broken_by", by_size ? "size" : NULL);
}

json_t *
report_timed(const struct report_facts *f)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s*, s:f, s:b}", "samples", samples_json(f->take), "technique",
	    technique_json(f), "check", f->comparison != NULL ? answer_json(f->comparison) : json_null(), "evidence",
	    evidence_json(f), "comparison", comparison_json(f), "trust",
	    f->take != NULL ? audit_trust_word(weakest_of(f)->trust) : NULL, "run_ms", (double)f->run_ns / 1e6,
	    "artifact_missing", f->artifact_missing);
}

json_t *
report_clock(const struct tick *t)
{
	return json_pack("{s:s, s:s, s:f, s:f, s:f}", "kind", clock_name(t->clock), "counter", tick_counter(t->clock),
	    "tick_hz", t->hz, "resolution_ns", t->resolution_ns, "overhead_ns", t->overhead_ns);
}

json_t *
report_canary(const struct gate *g, const struct tick *t)
{
	const uint64_t	base_ticks = gate_base_ticks(g);

	return json_pack("{s:s, s:I, s:f, s:f, s:I, s:I}", "state",
	    gate_is_coarse(g) ? "off: no reading is long enough for the clock" : "on",
	    "base_ticks", (json_int_t)base_ticks, "base_ns", tick_ns(t, base_ticks), "clock_slowness", gate_clock(g),
	    "readings", (json_int_t)g->readings, "barren_jobs", (json_int_t)g->barren);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "proto/wire/report.h"

static enum status
get_sub(const struct shape *s, void *out, const struct node *n, struct fault *why)
{
	return shape_get(s, out, n, SHAPE_EXACT, why);
}

/* ---- samples ---- */

#define ROW(member, ...) SHAPE_ROW(struct samples, member, __VA_ARGS__)
static const struct shape_row	samples_rows[] = {
	ROW(ns, SHAPE_REALS),
	ROW(against_ns, SHAPE_REALS),
	ROW(ticks, SHAPE_SIZES),
	ROW(canary, SHAPE_REALS),
	ROW(pace, SHAPE_REALS),
	ROW(slowness, SHAPE_REALS),
	ROW(memory, SHAPE_REALS),
	ROW(process, SHAPE_SIZES),
	ROW(loud, SHAPE_SIZES),
	ROW(disturbed, SHAPE_SIZES),
};
static const struct shape	samples_shape = SHAPE_OF(struct samples, samples_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct core_report, member, __VA_ARGS__)
static const struct shape_row	core_rows[] = {
	ROW(cpu, SHAPE_SIZE),
	ROW(overhead_ns, SHAPE_REAL),
	ROW(ns, SHAPE_REALS),
};
static const struct shape	core_shape = SHAPE_OF(struct core_report, core_rows);
#undef ROW

/* ---- technique ---- */

#define ROW(member, ...) SHAPE_ROW(struct guard_report, member, __VA_ARGS__)
static const char *const	form_words[] = {
	"restore", "alternate", "pair", "separate", "none", NULL
};
static const char *const	at_words[] = {
	"every call", "every sample", "every traversal", NULL
};
static const struct shape_row	guard_rows[] = {
	ROW(form, SHAPE_TEXT, .words = form_words),
	ROW(of, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(at, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = at_words),
};
static const struct shape	guard_shape = SHAPE_OF(struct guard_report, guard_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct image_report, member, __VA_ARGS__)
static const struct shape_row	image_rows[] = {
	ROW(image, SHAPE_TEXT),
	ROW(sha256, SHAPE_TEXT),
	ROW(bytes, SHAPE_SIZE),
	ROW(calls, SHAPE_SIZE),
};
static const struct shape	image_shape = SHAPE_OF(struct image_report, image_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct interval_report, member, __VA_ARGS__)
static const struct shape_row	interval_rows[] = {
	ROW(asked, SHAPE_REAL),
	ROW(reached, SHAPE_REAL, .none = SHAPE_NULL),
};
static const struct shape	interval_shape = SHAPE_OF(struct interval_report, interval_rows);
#undef ROW

static enum status
read_node(int *out, const struct node *n, struct fault *why)
{
	static const char *const	words[] = { "unknown", "mixed", NULL };
	int64_t				 node = 0;
	unsigned			 word = 0;
	enum status			 st;

	*out = NODE_UNKNOWN;
	if (json_is_string(n->value)) {
		st = decode_word(n, words, &word, why);
		*out = word == 0 ? NODE_UNKNOWN : NODE_MIXED;
		return st;
	}
	st = decode_integer(n, 0, INT32_MAX, &node, why);
	if (st == ST_OK)
		*out = (int)node;
	return st;
}

static void
write_node(struct text *t, int node)
{
	if (node >= 0)
		text_integer(t, node);
	else
		text_string(t, node == NODE_MIXED ? "mixed" : "unknown");
}

static enum status
get_node(void *out, const struct node *n, struct fault *why)
{
	return read_node(&((struct sample_technique *)out)->numa_node, n, why);
}

static void
put_node(struct text *t, const void *in)
{
	write_node(t, ((const struct sample_technique *)in)->numa_node);
}

static enum status
get_home(void *out, const struct node *n, struct fault *why)
{
	return read_node(&((struct operand_report *)out)->node, n, why);
}

static void
put_home(struct text *t, const void *in)
{
	write_node(t, ((const struct operand_report *)in)->node);
}

#define ROW(member, ...) SHAPE_ROW(struct shared_report, member, __VA_ARGS__)
static const struct shape_row	shared_rows[] = {
	ROW(from, SHAPE_SIZE),
};
static const struct shape	shared_shape = SHAPE_OF(struct shared_report, shared_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct operand_report, member, __VA_ARGS__)
static const char *const	init_words[] = {
	"random", "value", "index", "permutation", "data", "text", "function", NULL
};
static const char *const	order_words[] = { "sorted", "nearly_sorted", "reversed", NULL };
static const char *const	access_words[] = { "in", "out", "inout", NULL };
static const char *const	place_words[] = { "cold", "part", "warm", "L1", "L2", "L3", NULL };
static const char *const	state_words[] = { "clean", "dirty", NULL };
static const char *const	memory_words[] = { "heap", "static", NULL };
static const char *const	pages_words[] = { "small", "huge", "mixed", NULL };
static const struct shape_row	operand_rows[] = {
	ROW(type, SHAPE_TEXT),
	ROW(dims, SHAPE_SIZES),
	ROW(init, SHAPE_TEXT, .words = init_words),
	ROW(order, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = order_words),
	ROW(seed, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(access, SHAPE_TEXT, .words = access_words),
	ROW(cache, SHAPE_TEXT, .words = place_words),
	ROW(state, SHAPE_TEXT, .words = state_words),
	ROW(align, SHAPE_SIZE),
	ROW(misalign, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(offset, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(stride, SHAPE_SIZE),
	ROW(memory, SHAPE_TEXT, .words = memory_words),
	ROW(pages, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = pages_words),
	ROW(node, SHAPE_OWN, .get = get_home, .put = put_home),
	ROW(shared, SHAPE_MAP, .of = &shared_shape, .none = SHAPE_LEFT_OUT),
};
static const struct shape	operand_shape = SHAPE_OF(struct operand_report, operand_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct flush_technique, member, __VA_ARGS__)
static const char *const	tlb_words[] = { "cold", "kept", NULL };
static const char *const	tables_words[] = { "cached", "memory", NULL };
static const char *const	code_words[] = { "in cache", "cold", NULL };
static const struct shape_row	flush_rows[] = {
	ROW(tlb, SHAPE_TEXT, .words = tlb_words),
	ROW(page_tables, SHAPE_TEXT, .none = SHAPE_NULL, .words = tables_words),
	ROW(code, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = code_words),
	ROW(flush_cpus, SHAPE_SIZE),
	ROW(working_sets_touched, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(memory_canary, SHAPE_TEXT),
};
static const struct shape	flush_shape = SHAPE_OF(struct flush_technique, flush_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct sample_technique, member, __VA_ARGS__)
static const char *const	sampling_words[] = { "MultTimingSamples", "one sample", "median",
	"medians of processes", NULL };
static const char *const	end_words[] = {
	"samples", "interval", "max_samples", "budget", "wall limit", "max_pairs", "race", NULL
};
static const char *const	scheduling_words[] = { "fifo", "other", NULL };
static const struct shape_row	sample_technique_rows[] = {
	ROW(sampling, SHAPE_TEXT, .words = sampling_words),
	ROW(numa_node, SHAPE_OWN, .get = get_node, .put = put_node),
	ROW(awake, SHAPE_FLAG),
	ROW(overhead_ns, SHAPE_REAL),
	ROW(overhead_subtracted, SHAPE_FLAG),
	ROW(empty_call_ns, SHAPE_REAL),
	ROW(serialised, SHAPE_FLAG, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct sample_technique, has_serialised)),
	ROW(difference, SHAPE_FLAG),
	ROW(edge_ns, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(bias_bound, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(within_noise, SHAPE_FLAG),
	ROW(ended_by, SHAPE_TEXT, .words = end_words),
	ROW(interval, SHAPE_OBJECT, .of = &interval_shape, .none = SHAPE_NULL,
	    .has = offsetof(struct sample_technique, has_interval)),
	ROW(canary, SHAPE_TEXT),
	ROW(scheduling, SHAPE_TEXT, .words = scheduling_words),
	ROW(cpu, SHAPE_INTEGER, .none = SHAPE_NULL),
	ROW(cpus, SHAPE_SIZES, .none = SHAPE_NULL),
	ROW(copies, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
};
static const struct shape	sample_technique_shape =
    SHAPE_OF(struct sample_technique, sample_technique_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct technique, member, __VA_ARGS__)
static const char *const	context_words[] = {
	"cold", "warm", "flush_bytes", "flush_level", NULL
};
static const char *const	method_words[] = {
	"none", "OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU", "ChallengeResponse",
	"Checkpoint", "Program", NULL
};
static const char *const	in_force_words[] = {
	"Page0Guard", "InstLdGuard", "MemAlign", "RangeGuard", NULL
};
static const char *const	clock_words[] = { "wall", "cycle", "cpu", NULL };
static const char *const	walk_words[] = { "backward", "forward", "random", "again", "stroll",
	NULL };
static const char *const	size_words[] = { "given", "calibrated", "default", NULL };
static const char *const	data_words[] = { "captured", "given", "generated", NULL };
static const char *const	rotation_words[] = { "none", "asked", "learned", NULL };
static const char *const	inout_words[] = {
	"kept", "restored per call", "restored per sample", NULL
};
static const struct shape_row	technique_rows[] = {
	ROW(context, SHAPE_TEXT, .words = context_words),
	ROW(method, SHAPE_TEXT, .words = method_words),
	ROW(clock, SHAPE_TEXT, .words = clock_words),
	ROW(counter, SHAPE_TEXT),
	ROW(tick_hz, SHAPE_REAL),
	ROW(resolution_ns, SHAPE_REAL),
	ROW(clock_overhead_ns, SHAPE_REAL),
	ROW(samples, SHAPE_SIZE),
	ROW(calls, SHAPE_SIZE),
	ROW(working_sets, SHAPE_SIZE),
	ROW(walk, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = walk_words),
	ROW(flush_bytes, SHAPE_SIZE),
	ROW(flush_size, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = size_words),
	ROW(flush, SHAPE_INLINE, .of = &flush_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct technique, is_flushed)),
	ROW(timer, SHAPE_TEXT),
	ROW(checkpoint, SHAPE_OBJECT, .of = &image_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct technique, has_checkpoint)),
	ROW(data, SHAPE_TEXT, .words = data_words),
	ROW(operands, SHAPE_MAP, .of = &operand_shape, .none = SHAPE_LEFT_OUT),
	ROW(inputs, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(rotation, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = rotation_words),
	ROW(guards, SHAPE_TEXTS, .words = in_force_words),
	ROW(inout, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = inout_words),
	ROW(range_guard, SHAPE_OBJECT, .of = &guard_shape),
	ROW(sample, SHAPE_INLINE, .of = &sample_technique_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct technique, is_sampled)),
};
static const struct shape	technique_shape = SHAPE_OF(struct technique, technique_rows);
#undef ROW

/* ---- counters ---- */

#define ROW(member, ...) SHAPE_ROW(struct counter_report, member, __VA_ARGS__)
static const struct shape_row	counter_rows[] = {
	ROW(per_call, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(unit, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(event, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(calls, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(counted, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(absent, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
};
static const struct shape	counter_shape = SHAPE_OF(struct counter_report, counter_rows);
#undef ROW

/* ---- metrics ---- */

#define ROW(member, ...) SHAPE_ROW(struct metric_span, member, __VA_ARGS__)
static const struct shape_row	span_rows[] = {
	ROW(min, SHAPE_REAL), ROW(median, SHAPE_REAL), ROW(max, SHAPE_REAL),
};
static const struct shape	span_shape = SHAPE_OF(struct metric_span, span_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct metric_report, member, __VA_ARGS__)
#define HAS(member) .none = SHAPE_LEFT_OUT, .has = offsetof(struct metric_report, has_##member)
static const char *const	source_words[] = { "library", NULL };
static const char *const	claimed_words[] = { "claimed", NULL };
static const struct shape_row	metric_rows[] = {
	ROW(name, SHAPE_TEXT),
	ROW(unit, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(source, SHAPE_TEXT, .words = source_words),
	ROW(trust, SHAPE_TEXT, .words = claimed_words),
	ROW(calls, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(per_call, SHAPE_OBJECT, .of = &span_shape, HAS(per_call)),
	ROW(per_iteration, SHAPE_OBJECT, .of = &span_shape, HAS(per_iteration)),
	ROW(samples, SHAPE_REALS, .none = SHAPE_LEFT_OUT),
	ROW(absent, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
};
static const struct shape	metric_shape = SHAPE_OF(struct metric_report, metric_rows);
#undef HAS
#undef ROW

/* ---- check ---- */

static enum status
get_number(struct number *x, const struct node *n, struct fault *why)
{
	double		pair[2] = { 0, 0 };
	enum status	st = ST_OK;

	*x = (struct number){ .words = json_string_value(n->value),
	    .is_complex = json_array_size(n->value) == 2 };
	if (x->words != NULL)
		return ST_OK;
	if (!x->is_complex)
		return decode_real(n, -HUGE_VAL, HUGE_VAL, &x->re, why);
	for (size_t i = 0; st == ST_OK && i < 2; i++) {
		struct node	part = decode_element(n, i);

		st = decode_real(&part, -HUGE_VAL, HUGE_VAL, &pair[i], why);
	}
	x->re = pair[0];
	x->im = pair[1];
	return st;
}

static void
put_number(struct text *t, const struct number *x)
{
	const double	pair[2] = { x->re, x->im };

	if (x->words != NULL)
		text_string(t, x->words);
	else if (x->is_complex)
		shape_put_pair(t, pair);
	else
		text_real(t, x->re);
}

static enum status
get_got(void *out, const struct node *n, struct fault *why)
{
	return get_number(&((struct bad_element *)out)->got, n, why);
}

static enum status
get_want(void *out, const struct node *n, struct fault *why)
{
	return get_number(&((struct bad_element *)out)->want, n, why);
}

static void
put_got(struct text *t, const void *in)
{
	put_number(t, &((const struct bad_element *)in)->got);
}

static void
put_want(struct text *t, const void *in)
{
	put_number(t, &((const struct bad_element *)in)->want);
}

#define ROW(member, ...) SHAPE_ROW(struct bad_element, member, __VA_ARGS__)
static const struct shape_row	bad_rows[] = {
	ROW(operand, SHAPE_TEXT),
	ROW(index, SHAPE_SIZE),
	ROW(got, SHAPE_OWN, .get = get_got, .put = put_got),
	ROW(want, SHAPE_OWN, .get = get_want, .put = put_want),
};
static const struct shape	bad_shape = SHAPE_OF(struct bad_element, bad_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct check_report, member, __VA_ARGS__)
static const struct shape_row	check_rows[] = {
	ROW(done, SHAPE_FLAG),
	ROW(passed, SHAPE_FLAG),
	ROW(max_abs, SHAPE_REAL),
	ROW(max_rel, SHAPE_REAL),
	ROW(rtol, SHAPE_REAL),
	ROW(atol, SHAPE_REAL),
	ROW(compared, SHAPE_SIZE),
	ROW(wrong, SHAPE_SIZE),
	ROW(first_bad, SHAPE_OBJECT, .of = &bad_shape, .none = SHAPE_NULL,
	    .has = offsetof(struct check_report, has_first_bad)),
};
static const struct shape	check_shape = SHAPE_OF(struct check_report, check_rows);
#undef ROW

/* ---- evidence ---- */

#define ROW(member, ...) SHAPE_ROW(struct audits_report, member, __VA_ARGS__)
static const struct shape_row	audits_rows[] = {
	ROW(rounds, SHAPE_COUNT),
	ROW(calls, SHAPE_COUNT),
	ROW(wrong, SHAPE_COUNT),
	ROW(near, SHAPE_COUNT),
	ROW(early, SHAPE_COUNT),
	ROW(disturbed, SHAPE_COUNT),
	ROW(least_ns, SHAPE_REAL),
	ROW(median_ns, SHAPE_REAL),
	ROW(handoff_ns, SHAPE_REAL),
	ROW(reference_extra_ns, SHAPE_REAL),
};
static const struct shape	audits_shape = SHAPE_OF(struct audits_report, audits_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct clock_evidence, member, __VA_ARGS__)
static const struct shape_row	clock_rows[] = {
	ROW(at_rest, SHAPE_REAL),
	ROW(sampling, SHAPE_REAL),
};
static const struct shape	clock_shape = SHAPE_OF(struct clock_evidence, clock_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct census_report, member, __VA_ARGS__)
static const struct shape_row	census_rows[] = {
	ROW(finite, SHAPE_SIZE),
	ROW(inf, SHAPE_SIZE),
	ROW(nan, SHAPE_SIZE),
	ROW(denormal, SHAPE_SIZE),
	ROW(zero, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
};
static const struct shape	census_shape = SHAPE_OF(struct census_report, census_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct range_report, member, __VA_ARGS__)
static const struct shape_row	range_rows[] = {
	ROW(numbers, SHAPE_MAP, .of = &census_shape),
	ROW(warning, SHAPE_TEXT, .none = SHAPE_NULL),
};
static const struct shape	range_shape = SHAPE_OF(struct range_report, range_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct sentinel_report, member, __VA_ARGS__)
static const struct shape_row	sentinel_rows[] = {
	ROW(least_ns, SHAPE_REAL),
	ROW(limit_ns, SHAPE_REAL),
	ROW(hot_ns, SHAPE_REAL),
	ROW(read, SHAPE_SIZE),
	ROW(not_cold, SHAPE_SIZE),
};
static const struct shape	sentinel_shape = SHAPE_OF(struct sentinel_report, sentinel_rows);
#undef ROW

/* An object, or "off: " and why; nothing where nothing is flushed. */
static enum status
get_sentinel(void *out, const struct node *n, struct fault *why)
{
	struct sample_evidence	*e = out;
	enum status	 st;

	e->has_sentinel = n->value != NULL;
	if (!e->has_sentinel)
		return ST_OK;
	if (json_is_object(n->value)) {
		st = get_sub(&sentinel_shape, &e->sentinel, n, why);
		e->sentinel.off = NULL;
		return st;
	}
	e->sentinel = (struct sentinel_report){ .off = json_string_value(n->value) };
	return e->sentinel.off != NULL ? ST_OK :
	    decode_refuse_type(n, "an object or a string", why);
}

static bool
has_no_sentinel(const void *in)
{
	return !((const struct sample_evidence *)in)->has_sentinel;
}

static void
put_sentinel(struct text *t, const void *in)
{
	const struct sentinel_report	*s = &((const struct sample_evidence *)in)->sentinel;

	if (s->off != NULL)
		text_string(t, s->off);
	else
		shape_put_object(t, &sentinel_shape, s);
}

#define ROW(member, ...) SHAPE_ROW(struct code_report, member, __VA_ARGS__)
static const struct shape_row	code_rows[] = {
	ROW(read, SHAPE_SIZE),
	ROW(not_cold, SHAPE_SIZE),
};
static const struct shape	code_shape = SHAPE_OF(struct code_report, code_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct memory_report, member, __VA_ARGS__)
static const struct shape_row	memory_rows[] = {
	ROW(reading_ns, SHAPE_REAL),
	ROW(ratio, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(longer, SHAPE_REAL, .none = SHAPE_NULL),
};
static const struct shape	memory_shape = SHAPE_OF(struct memory_report, memory_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct place_report, member, __VA_ARGS__)
static const char *const	asked_words[] = {
	"cold", "partial", "warm", "L1", "L2", "L3", NULL
};
static const struct shape_row	place_rows[] = {
	ROW(asked, SHAPE_TEXT, .words = asked_words),
	ROW(judged, SHAPE_FLAG),
	ROW(read, SHAPE_SIZE),
	ROW(nearer, SHAPE_REAL),
	ROW(farther, SHAPE_REAL),
	ROW(l1, SHAPE_REAL),
	ROW(l2, SHAPE_REAL),
	ROW(l3, SHAPE_REAL),
	ROW(memory, SHAPE_REAL),
};
static const struct shape	place_shape = SHAPE_OF(struct place_report, place_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct copies_report, member, __VA_ARGS__)
static const struct shape_row	copies_rows[] = {
	ROW(skew_ns, SHAPE_REAL),
	ROW(most_skew_ns, SHAPE_REAL),
	ROW(window, SHAPE_REAL),
};
static const struct shape	copies_shape = SHAPE_OF(struct copies_report, copies_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct sample_evidence, member, __VA_ARGS__)
#define HAS(member) .none = SHAPE_LEFT_OUT, .has = offsetof(struct sample_evidence, has_##member)
static const struct shape_row	sample_evidence_rows[] = {
	ROW(audits, SHAPE_OBJECT, .of = &audits_shape, HAS(audits)),
	ROW(against_audits, SHAPE_OBJECT, .of = &audits_shape, HAS(against_audits)),
	ROW(claimed, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(taken, SHAPE_SIZE),
	ROW(rejected, SHAPE_SIZE),
	ROW(reject_rate, SHAPE_REAL),
	ROW(kept_unfit, SHAPE_SIZE),
	ROW(canary_rejected, SHAPE_SIZE),
	ROW(memory_rejected, SHAPE_SIZE),
	ROW(canary_base_ticks, SHAPE_SIZE),
	ROW(clock, SHAPE_OBJECT, .of = &clock_shape, HAS(clock)),
	ROW(patience_ms, SHAPE_REAL),
	ROW(waited_ms, SHAPE_REAL),
	ROW(involuntary_switches, SHAPE_SIZE),
	ROW(migrations, SHAPE_SIZE),
	ROW(faults, SHAPE_SIZE),
	ROW(own_faults, SHAPE_SIZE),
	ROW(cut_short, SHAPE_FLAG),
	ROW(steal_ms, SHAPE_REAL, .none = SHAPE_ABSENT),
	ROW(frequency_mhz, SHAPE_PAIR, .none = SHAPE_ABSENT,
	    .has = offsetof(struct sample_evidence, has_frequency)),
	ROW(frequency_moved, SHAPE_FLAG, HAS(frequency_moved)),
	ROW(memory, SHAPE_OBJECT, .of = &memory_shape, HAS(memory)),
	ROW(sentinel, SHAPE_OWN, .get = get_sentinel, .put = put_sentinel,
	    .is_none = has_no_sentinel, .none = SHAPE_LEFT_OUT),
	ROW(code, SHAPE_OBJECT, .of = &code_shape, HAS(code)),
	ROW(places, SHAPE_MAP, .of = &place_shape, .none = SHAPE_LEFT_OUT),
	ROW(copies, SHAPE_OBJECT, .of = &copies_shape, HAS(copies)),
	ROW(warm_calls, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(warm_ns, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(cold_over_warm, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(learned, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(learned_interval, SHAPE_PAIR, HAS(learned_interval)),
	ROW(against_learned, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
};
static const struct shape	sample_evidence_shape =
    SHAPE_OF(struct sample_evidence, sample_evidence_rows);
#undef HAS
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct conflict_report, member, __VA_ARGS__)
static const struct shape_row	conflict_rows[] = {
	ROW(stride_bytes, SHAPE_SIZE),
	ROW(lines, SHAPE_SIZE),
	ROW(sets, SHAPE_SIZE),
	ROW(of_sets, SHAPE_SIZE),
	ROW(ways, SHAPE_SIZE),
};
static const struct shape	conflict_shape = SHAPE_OF(struct conflict_report, conflict_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct program_report, member, __VA_ARGS__)
static const char *const	output_words[] = { "checked", "not checked", NULL };
static const struct shape_row	program_rows[] = {
	ROW(floor_ns, SHAPE_REAL),
	ROW(cpu_ns, SHAPE_REAL),
	ROW(max_rss_bytes, SHAPE_SIZE),
	ROW(page_faults, SHAPE_SIZE),
	ROW(involuntary_switches, SHAPE_SIZE),
	ROW(output_bytes, SHAPE_SIZE),
	ROW(output, SHAPE_TEXT, .words = output_words),
};
static const struct shape	program_report_shape =
    SHAPE_OF(struct program_report, program_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct evidence, member, __VA_ARGS__)
static const char *const	side_words[] = { "variant", "against", NULL };
static const struct shape_row	evidence_rows[] = {
	ROW(setup_ms, SHAPE_REAL),
	ROW(load_ms, SHAPE_REAL),
	ROW(jail, SHAPE_OBJECT, .of = &containment_shape),
	ROW(failed, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = side_words),
	ROW(failed_in, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(timed_beside, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(uncalibrated, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(range, SHAPE_OBJECT, .of = &range_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct evidence, has_range)),
	ROW(conflicts, SHAPE_MAP, .of = &conflict_shape, .none = SHAPE_LEFT_OUT),
	ROW(program, SHAPE_OBJECT, .of = &program_report_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct evidence, has_program)),
	ROW(sample, SHAPE_INLINE, .of = &sample_evidence_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct evidence, is_sampled)),
};
static const struct shape	evidence_shape = SHAPE_OF(struct evidence, evidence_rows);
#undef ROW

/* ---- findings ---- */

#define ROW(member, ...) SHAPE_ROW(struct findings, member, __VA_ARGS__)
#define HAS(member) .none = SHAPE_NULL, .has = offsetof(struct findings, has_##member)
static const char *const	trust_words[] = {
	"claimed", "audited", "verified", "suspect", NULL
};
static const struct shape_row	findings_rows[] = {
	ROW(technique, SHAPE_OBJECT, .of = &technique_shape, HAS(technique)),
	ROW(counters, SHAPE_MAP, .of = &counter_shape, .none = SHAPE_NULL),
	ROW(metrics, SHAPE_LIST, .of = &metric_shape, .none = SHAPE_LEFT_OUT),
	ROW(check, SHAPE_OBJECT, .of = &check_shape, HAS(check)),
	ROW(evidence, SHAPE_OBJECT, .of = &evidence_shape, HAS(evidence)),
	ROW(trust, SHAPE_TEXT, .none = SHAPE_NULL, .words = trust_words),
};
const struct shape		findings_shape = SHAPE_OF(struct findings, findings_rows);
#undef HAS
#undef ROW

/* ---- comparison ---- */

/* [a, b], either of them null. */
static enum status
get_code_bytes(void *out, const struct node *n, struct fault *why)
{
	struct comparison	*c = out;
	enum status		 st = ST_OK;

	if (json_array_size(n->value) != 2)
		return decode_refuse(n, NULL, why, "must be two sizes");
	for (size_t i = 0; st == ST_OK && i < 2; i++) {
		struct node	element = decode_element(n, i);

		c->code_bytes[i] = SHAPE_NO_SIZE;
		if (!json_is_null(element.value))
			st = decode_size(&element, 0, INT64_MAX, &c->code_bytes[i], why);
	}
	return st;
}

static void
put_code_bytes(struct text *t, const void *in)
{
	const uint64_t	*bytes = ((const struct comparison *)in)->code_bytes;

	text_char(t, '[');
	for (size_t i = 0; i < 2; i++) {
		text_comma(t);
		if (bytes[i] != SHAPE_NO_SIZE)
			text_integer(t, (int64_t)bytes[i]);
		else
			text_null(t);
	}
	text_char(t, ']');
}

static enum status
get_trust(void *out, const struct node *n, struct fault *why)
{
	struct comparison	*c = out;
	unsigned		 word;
	enum status		 st = ST_OK;

	if (json_array_size(n->value) != 2)
		return decode_refuse(n, NULL, why, "must be two words");
	for (size_t i = 0; st == ST_OK && i < 2; i++) {
		struct node	element = decode_element(n, i);

		if ((st = decode_word(&element, trust_words, &word, why)) == ST_OK)
			c->trust[i] = trust_words[word];
	}
	return st;
}

static void
put_trust(struct text *t, const void *in)
{
	const struct comparison	*c = in;

	text_char(t, '[');
	text_string(t, c->trust[0]);
	text_char(t, ',');
	text_string(t, c->trust[1]);
	text_char(t, ']');
}

#define ROW(member, ...) SHAPE_ROW(struct comparison, member, __VA_ARGS__)
static const char *const	verdict_words[] = { "faster", "slower", "indistinguishable", NULL };
static const char *const	winner_words[] = { "a", "b", NULL };
static const char *const	tie_words[] = { "size", NULL };
static const struct shape_row	comparison_rows[] = {
	ROW(verdict, SHAPE_TEXT, .words = verdict_words),
	ROW(ratio, SHAPE_REAL),
	ROW(interval, SHAPE_PAIR, .none = SHAPE_NULL,
	    .has = offsetof(struct comparison, has_interval)),
	ROW(error, SHAPE_REAL),
	ROW(resolution, SHAPE_REAL),
	ROW(pairs, SHAPE_SIZE),
	ROW(groups, SHAPE_SIZE),
	ROW(looks, SHAPE_SIZE),
	ROW(within, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(between, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(ended_by, SHAPE_TEXT, .words = end_words),
	ROW(code_bytes, SHAPE_OWN, .get = get_code_bytes, .put = put_code_bytes),
	ROW(winner, SHAPE_TEXT, .none = SHAPE_NULL, .words = winner_words),
	ROW(trust, SHAPE_OWN, .get = get_trust, .put = put_trust),
	ROW(tie_broken_by, SHAPE_TEXT, .none = SHAPE_NULL, .words = tie_words),
};
const struct shape		comparison_shape = SHAPE_OF(struct comparison, comparison_rows);
#undef ROW

/* ---- layout ---- */

#define ROW(member, ...) SHAPE_ROW(struct layout_round, member, __VA_ARGS__)
static const struct shape_row	round_rows[] = {
	ROW(ns, SHAPE_REALS),
	ROW(slowness, SHAPE_REALS),
	ROW(loud, SHAPE_SIZES),
};
static const struct shape	round_shape = SHAPE_OF(struct layout_round, round_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct layout_point, member, __VA_ARGS__)
static const struct shape_row	point_rows[] = {
	ROW(varied, SHAPE_TEXT),
	ROW(code_offset, SHAPE_SIZE),
	ROW(stack_offset, SHAPE_SIZE),
	ROW(operand_shift, SHAPE_SIZES),
	ROW(rounds, SHAPE_LIST, .of = &round_shape),
};
static const struct shape	point_shape = SHAPE_OF(struct layout_point, point_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct layout_report, member, __VA_ARGS__)
static const struct shape_row	layout_rows[] = {
	ROW(mode, SHAPE_TEXT),
	ROW(code_offset, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(stack_offset, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(seed, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(samples, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(cut_short, SHAPE_FLAG),
	ROW(stays, SHAPE_NOTES),
	ROW(points, SHAPE_LIST, .of = &point_shape),
};
static const struct shape	layout_shape = SHAPE_OF(struct layout_report, layout_rows);
#undef ROW

/* ---- the whole ---- */

#define ROW(member, ...) SHAPE_ROW(struct canary_report, member, __VA_ARGS__)
static const struct shape_row	canary_rows[] = {
	ROW(state, SHAPE_TEXT),
	ROW(base_ticks, SHAPE_SIZE),
	ROW(base_ns, SHAPE_REAL),
	ROW(clock_slowness, SHAPE_REAL),
	ROW(readings, SHAPE_SIZE),
	ROW(barren_jobs, SHAPE_SIZE),
};
static const struct shape	canary_shape = SHAPE_OF(struct canary_report, canary_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct report, member, __VA_ARGS__)
#define HAS(member) .none = SHAPE_NULL, .has = offsetof(struct report, has_##member)
static const struct shape_row	report_rows[] = {
	ROW(run_ms, SHAPE_REAL),
	ROW(iterations, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(core_ghz, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(artifact_missing, SHAPE_FLAG),
	ROW(samples, SHAPE_OBJECT, .of = &samples_shape),
	ROW(cores, SHAPE_LIST, .of = &core_shape, .none = SHAPE_LEFT_OUT),
	ROW(found, SHAPE_INLINE, .of = &findings_shape),
	ROW(bound_ns, SHAPE_REAL, .none = SHAPE_LEFT_OUT),
	ROW(comparison, SHAPE_OBJECT, .of = &comparison_shape, HAS(comparison)),
	ROW(layout, SHAPE_OBJECT, .of = &layout_shape, HAS(layout)),
	ROW(canary, SHAPE_OBJECT, .of = &canary_shape),
	ROW(quiet, SHAPE_OBJECT, .of = &gate_state_shape, HAS(quiet)),
};
static const struct shape	report_shape = SHAPE_OF(struct report, report_rows);
#undef HAS
#undef ROW

void
report_clear(struct report *r)
{
	shape_clear(&report_shape, r);
}

enum status
report_get(struct report *r, const json_t *doc, struct fault *why)
{
	const struct node	root = { .value = doc };

	return shape_get(&report_shape, r, &root, SHAPE_SPARSE, why);
}

char *
report_put(const struct report *r)
{
	return shape_put(&report_shape, r, SHAPE_SPARSE);
}

void
report_release(struct report *r)
{
	shape_release(&report_shape, r);
}

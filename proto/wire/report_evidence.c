/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a report's evidence: what was seen while a variant was timed. */
#include "proto/wire/report.h"
#include "proto/wire/report_parts.h"

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
	enum status		 st;

	e->has_sentinel = n->value != NULL;
	if (!e->has_sentinel)
		return ST_OK;
	if (json_is_object(n->value)) {
		st = shape_get(&sentinel_shape, &e->sentinel, n, SHAPE_EXACT, why);
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
const struct shape		evidence_shape = SHAPE_OF(struct evidence, evidence_rows);
#undef ROW

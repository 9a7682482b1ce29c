/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "proto/wire/report.h"
#include "proto/wire/report_parts.h"

/* ---- samples ---- */

#define ROW(member, ...) SHAPE_ROW(struct sample_readings, member, __VA_ARGS__)
static const struct shape_row	readings_rows[] = {
	ROW(ticks, SHAPE_SIZES),
	ROW(canary, SHAPE_REALS),
	ROW(pace, SHAPE_REALS),
	ROW(memory, SHAPE_REALS),
	ROW(disturbed, SHAPE_SIZES),
};
const struct shape		readings_shape = SHAPE_OF(struct sample_readings, readings_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct samples, member, __VA_ARGS__)
static const struct shape_row	samples_rows[] = {
	ROW(ns, SHAPE_REALS),
	ROW(against_ns, SHAPE_REALS),
	ROW(slowness, SHAPE_REALS),
	ROW(process, SHAPE_SIZES),
	ROW(loud, SHAPE_SIZES),
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

/* ---- findings ---- */

#define ROW(member, ...) SHAPE_ROW(struct findings, member, __VA_ARGS__)
#define HAS(member) .none = SHAPE_NULL, .has = offsetof(struct findings, has_##member)
static const char *const	trust_words[] = {
	"claimed", "audited", "verified", "suspect", NULL
};
#define COUNTERS	ROW(counters, SHAPE_MAP, .of = &counter_shape, .none = SHAPE_NULL)
#define METRICS		ROW(metrics, SHAPE_LIST, .of = &metric_shape, .none = SHAPE_LEFT_OUT)
#define CHECK		ROW(check, SHAPE_OBJECT, .of = &check_shape, HAS(check))
#define TRUST		ROW(trust, SHAPE_TEXT, .none = SHAPE_NULL, .words = trust_words)
static const struct shape_row	findings_rows[] = {
	ROW(technique, SHAPE_OBJECT, .of = &technique_shape, HAS(technique),
	    .kept = offsetof(struct findings, technique_text)),
	COUNTERS,
	METRICS,
	CHECK,
	ROW(evidence, SHAPE_OBJECT, .of = &evidence_shape, HAS(evidence),
	    .kept = offsetof(struct findings, evidence_text)),
	TRUST,
};
const struct shape		findings_shape = SHAPE_OF(struct findings, findings_rows);

/* Of a report: technique and evidence come beside it. */
static const struct shape_row	read_rows[] = { COUNTERS, METRICS, CHECK, TRUST };
static const struct shape	read_shape = SHAPE_OF(struct findings, read_rows);
#undef TRUST
#undef CHECK
#undef METRICS
#undef COUNTERS
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
	ROW(ended_by, SHAPE_TEXT, .words = report_end_words),
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

#define ROW(member, ...) SHAPE_ROW(struct sample_tally, member, __VA_ARGS__)
static const struct shape_row	tally_rows[] = {
	ROW(gated, SHAPE_FLAG),
	ROW(taken, SHAPE_SIZE),
	ROW(canary_rejected, SHAPE_SIZE),
	ROW(memory_rejected, SHAPE_SIZE),
};
static const struct shape	tally_shape = SHAPE_OF(struct sample_tally, tally_rows);
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
	ROW(tally, SHAPE_OBJECT, .of = &tally_shape, HAS(tally)),
	ROW(found, SHAPE_INLINE, .of = &read_shape),
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
	shape_clear(&findings_shape, &r->found);
}

enum status
report_get(struct report *r, const json_t *doc, const struct kept *kept, struct fault *why)
{
	const struct node	root = { .value = doc };
	enum status		st = shape_get(&report_shape, r, &root, SHAPE_SPARSE, why);

	if (st != ST_OK)
		return st;
	r->found.technique_text = kept->technique;
	r->found.has_technique = kept->technique != NULL;
	r->found.evidence_text = kept->evidence;
	r->found.has_evidence = kept->evidence != NULL;
	r->samples.beside_text = kept->readings;
	return ST_OK;
}

char *
report_put(const struct report *r, struct kept *kept)
{
	const struct findings	*f = &r->found;
	const bool		 is_sampled = r->samples.ns.n > 0;
	char			*text = shape_put(&report_shape, r, SHAPE_SPARSE);

	*kept = (struct kept){ .technique = NULL };
	if (f->has_technique)
		kept->technique = shape_put(&technique_shape, &f->technique, SHAPE_EXACT);
	if (f->has_evidence)
		kept->evidence = shape_put(&evidence_shape, &f->evidence, SHAPE_EXACT);
	if (is_sampled)
		kept->readings = shape_put(&readings_shape, &r->samples.beside, SHAPE_EXACT);
	if (text != NULL && f->has_technique == (kept->technique != NULL) &&
	    f->has_evidence == (kept->evidence != NULL) &&
	    is_sampled == (kept->readings != NULL))
		return text;
	free(text);
	kept_release(kept);
	return NULL;
}

void
report_release(struct report *r)
{
	shape_release(&findings_shape, &r->found);
	shape_release(&readings_shape, &r->samples.beside);
	shape_release(&report_shape, r);
}

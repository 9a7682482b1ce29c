/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

static enum status
decode_flag(const struct node *n, bool *out, struct fault *why)
{
	if (!json_is_boolean(n->value))
		return decode_refuse(n, NULL, why, "must be true or false");
	*out = json_is_true(n->value);
	return ST_OK;
}

/* --- context --- */

#define CONTEXT_WORDS	"\"cold\", \"warm\", { \"flush_bytes\": n } or { \"flush_level\": \"L1\", \"L2\" or \"L3\" }"

static enum status
decode_context_bytes(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	s->context = CONTEXT_FLUSH_BYTES;
	return decode_size(n, 1, SPEC_MAX_FLUSH_BYTES, &s->context_flush_bytes, why);
}

static enum status
decode_context_level(void *out, const struct node *n, struct fault *why)
{
	static const char *const	words[] = { "L1", "L2", "L3", NULL };
	struct spec			*s = out;
	unsigned			 word = 0;
	enum status			 st = decode_word(n, words, &word, why);

	s->context = CONTEXT_FLUSH_LEVEL;
	s->context_level = CACHE_L1 + word;
	return st;
}

/* One of the two. */
static enum status
decode_partial(const struct node *n, struct spec *s, struct fault *why)
{
	static const struct member	members[] = {
		{ "flush_bytes", decode_context_bytes, false },
		{ "flush_level", decode_context_level, false },
		{ NULL, NULL, false }
	};
	enum status			 st;

	if (json_object_size(n->value) > 0 && (st = decode_members(n, members, s, why)) != ST_OK)
		return st;
	if (json_object_size(n->value) == 1)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "must have flush_bytes or flush_level, and not both");
	fault_hint(why, CONTEXT_WORDS);
	return st;
}

enum status
spec_decode_data_sensitive(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	return decode_flag(n, &s->data_sensitive, why);
}

enum status
spec_decode_context(void *out, const struct node *n, struct fault *why)
{
	static const char *const	words[] = { "cold", "warm", NULL };
	struct spec			*s = out;
	enum status			 st;

	if (json_is_object(n->value))
		return decode_partial(n, s, why);
	if (!json_is_string(n->value)) {
		st = decode_refuse(n, NULL, why, "must be a string or an object");
		fault_hint(why, CONTEXT_WORDS);
		return st;
	}
	return decode_enum(n, words, &s->context, why);
}

/* --- timing --- */

static enum status
decode_clock(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_clock, &t->clock, why);
}

static enum status
decode_count(const struct node *n, int64_t max, unsigned *out, struct fault *why)
{
	int64_t		count = 0;
	enum status	st = decode_integer(n, 1, max, &count, why);

	*out = (unsigned)count;
	return st;
}

static enum status
decode_samples(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_count(n, SPEC_MAX_SAMPLES, &t->samples, why);
}

static enum status
decode_calls(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_count(n, SPEC_MAX_CALLS, &t->calls, why);
}

static enum status
decode_interval(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_real(n, 1e-6, 1, &t->interval, why);
}

static enum status
decode_max_samples(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_count(n, SPEC_MAX_SAMPLES, &t->max_samples, why);
}

static enum status
decode_gate(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	if (json_is_boolean(n->value))
		t->gate = json_is_true(n->value) ? GATING_ON : GATING_OFF;
	else if (json_is_string(n->value) && strcmp(json_string_value(n->value), "auto") == 0)
		t->gate = GATING_AUTO;
	else
		return decode_refuse(n, NULL, why, "must be \"auto\", true or false");
	return ST_OK;
}

static enum status
decode_difference(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_flag(n, &t->difference, why);
}

static enum status
decode_budget(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;
	int64_t		 ms = 0;
	enum status	 st = decode_integer(n, 0, SPEC_MAX_BUDGET_MS, &ms, why);

	t->budget_ms = (unsigned)ms;
	t->has_budget = true;
	return st;
}

static enum status
decode_method(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_flush, &t->method, why);
}

static enum status
decode_flush_bytes(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_size(n, 1, SPEC_MAX_FLUSH_BYTES, &t->flush_bytes, why);
}

static enum status
decode_walk(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_walk, &t->walk, why);
}

static enum status
decode_tlb(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	bool		 cold = false;
	enum status	 st = decode_flag(n, &cold, why);

	t->tlb = cold ? TLB_COLD : TLB_WARM;
	return st;
}

static enum status
decode_page_tables(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_tables, &t->page_tables, why);
}

static enum status
decode_flush(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "method", decode_method, false },
		{ "bytes", decode_flush_bytes, false },
		{ "walk", decode_walk, false },
		{ "tlb", decode_tlb, false },
		{ "page_tables", decode_page_tables, false },
		{ NULL, NULL, false }
	};

	return decode_members(n, members, out, why);
}

static enum status
decode_estimator(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_estimator, &t->estimator, why);
}

static enum status
decode_trust(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_trust_asked, &t->trust, why);
}

enum status
spec_decode_timing(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "clock", decode_clock, false },
		{ "samples", decode_samples, false },
		{ "calls", decode_calls, false },
		{ "interval", decode_interval, false },
		{ "max_samples", decode_max_samples, false },
		{ "difference", decode_difference, false },
		{ "counters", spec_decode_counters, false },
		{ "gate", decode_gate, false },
		{ "budget_ms", decode_budget, false },
		{ "flush", decode_flush, false },
		{ "estimator", decode_estimator, false },
		{ "layout", spec_decode_layout, false },
		{ "layouts", spec_decode_layouts, false },
		{ "layout_seed", spec_decode_layout_seed, false },
		{ "range_guard", spec_decode_guard, false },
		{ "trust", decode_trust, false },
		{ NULL, NULL, false }
	};
	struct spec	*s = out;
	enum status	 st = decode_members(n, members, &s->timing, why);

	return st == ST_OK ? spec_find_guard(s, n, why) : st;
}

/* --- what cannot be had together --- */

static bool
has_something_cold(const struct spec *s)
{
	if (s->context != CONTEXT_WARM)
		return true;
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && s->args[i].operand.cache != CACHE_WARM)
			return true;
	return false;
}

static bool
has_placed_operand(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand &&
		    (s->args[i].operand.cache == CACHE_L2 || s->args[i].operand.cache == CACHE_L3))
			return true;
	return false;
}

/* The member that asks for a flush; NULL: none does. */
static const char *
wanted_of_flush(const struct timing *t)
{
	if (t->method != FLUSH_AUTO)
		return "method";
	if (t->walk != WALK_AUTO)
		return "walk";
	if (t->tlb != TLB_AUTO)
		return "tlb";
	if (t->page_tables != TABLES_AUTO)
		return "page_tables";
	return t->flush_bytes != 0 ? "bytes" : NULL;
}

static enum status
check_one_call(const struct timing *t, const struct node *timing, const struct node *flush, struct fault *why)
{
	enum status	st;

	if (t->calls > 1) {
		st = decode_refuse(timing, "calls", why, "is %u, but %s times one call after each flush", t->calls,
		    words_flush[t->method]);
		fault_hint(why, "leave calls out, or use MultiCallFlushLRU");
		return st;
	}
	if (t->walk != WALK_AUTO) {
		st = decode_refuse(flush, "walk", why, "%s has no working sets to walk", words_flush[t->method]);
		fault_hint(why, "leave walk out, or use MultiCallFlushLRU");
		return st;
	}
	return ST_OK;
}

static bool
is_partial(const struct spec *s)
{
	return s->context == CONTEXT_FLUSH_BYTES || s->context == CONTEXT_FLUSH_LEVEL;
}

/* clflush evicts operands line by line: there is no area whose size could be chosen. */
static enum status
check_x86_flush(const struct spec *s, const struct node *n, const struct node *flush, struct fault *why)
{
	enum status	st;

	if (!is_partial(s) && s->timing.flush_bytes == 0)
		return ST_OK;
	if (is_partial(s))
		st = decode_refuse(n, "context", why, "OneCallFlushX86 cannot flush partially");
	else
		st = decode_refuse(flush, "bytes", why, "OneCallFlushX86 has no area to give a size");
	fault_hint(why, "use OneCallFlushLRU, or leave the size out");
	return st;
}

/* The member that asks for MultiCallFlushLRU; NULL: none does. */
static const char *
wants_sets(const struct timing *t)
{
	if (t->method == FLUSH_MULTI_CALL_LRU)
		return "flush.method";
	if (t->method != FLUSH_AUTO)
		return NULL;
	if (t->walk != WALK_AUTO)
		return "flush.walk";
	return t->calls > 1 ? "calls" : t->difference ? "difference" : NULL;
}

/*
 * A search in a list ends where the data say: a call may leave most of its set untouched, and the sets that others come
 * upon are not those that the area's size was computed for (section 4).
 */
static enum status
check_data_sensitive(const struct spec *s, const struct node *timing, struct fault *why)
{
	const char	*member = wants_sets(&s->timing);
	enum status	 st;

	if (!s->data_sensitive || !has_something_cold(s) || member == NULL)
		return ST_OK;
	st = decode_refuse(timing, member, why, "asks for MultiCallFlushLRU, but the routine is data_sensitive: "
	    "how much of a working set a call touches is not known, so later calls may find theirs in a cache");
	fault_hint(why, "use OneCallFlushX86 or OneCallFlushLRU");
	return st;
}

/*
 * A partial flush shall leave something in the inner caches; working sets in turn bring their translations with them.
 */
static enum status
check_tlb(const struct spec *s, const struct node *flush, struct fault *why)
{
	const struct timing	*t = &s->timing;
	enum status		 st;

	if (t->tlb == TLB_COLD && is_partial(s)) {
		st = decode_refuse(flush, "tlb", why, "is true, but emptying the TLB also fills the inner caches, "
		    "which a partial flush is to leave");
		fault_hint(why, "leave it out");
		return st;
	}
	if (t->tlb == TLB_WARM && wants_sets(t) != NULL) {
		st = decode_refuse(flush, "tlb", why, "is false, but MultiCallFlushLRU has other pages in each call");
		fault_hint(why, "leave it out, or use OneCallFlushX86 or OneCallFlushLRU");
		return st;
	}
	return ST_OK;
}

/* What drives other memory through the caches drives page tables out as well; nothing else does. */
static enum status
check_page_tables(const struct spec *s, const struct node *flush, struct fault *why)
{
	const struct timing	*t = &s->timing;
	enum status		 st = ST_OK;

	if (t->page_tables != TABLES_AUTO && (is_partial(s) || t->flush_bytes != 0)) {
		st = decode_refuse(flush, "page_tables", why,
		    "is \"%s\", but a flush of a given size drives them as far as it does",
		    tables_name(t->page_tables));
		fault_hint(why, "leave it out");
	} else if (t->page_tables == TABLES_MEMORY &&
	    (t->method == FLUSH_ONE_CALL_X86 || t->trust == TRUST_ASKED_VERIFIED)) {
		st = decode_refuse(flush, "page_tables", why,
		    "is \"memory\", but no instruction takes page tables out of the caches");
		fault_hint(why, t->method != FLUSH_ONE_CALL_X86 ? "leave it out" :
		    "use OneCallFlushLRU or MultiCallFlushLRU");
	}
	return st;
}

static enum status
check_flush(const struct spec *s, const struct node *n, const struct node *timing, struct fault *why)
{
	const struct timing	*t = &s->timing;
	struct node		 flush = decode_member(timing, "flush");
	enum status		 st;

	if (!has_something_cold(s) && wanted_of_flush(t) != NULL) {
		st = decode_refuse(&flush, wanted_of_flush(t), why,
		    "there is nothing to flush: the context is warm and so is every operand");
		fault_hint(why, "leave it out, or make the context or an operand cold");
		return st;
	}
	if (s->context == CONTEXT_FLUSH_BYTES && t->flush_bytes != 0 && t->flush_bytes != s->context_flush_bytes)
		return decode_refuse(&flush, "bytes", why, "differs from the context's flush_bytes: give one of them");
	if (s->context == CONTEXT_FLUSH_LEVEL && t->flush_bytes != 0)
		return decode_refuse(&flush, "bytes", why,
		    "is given beside the context's flush_level: give one of them");
	if ((st = check_tlb(s, &flush, why)) != ST_OK || (st = check_page_tables(s, &flush, why)) != ST_OK ||
	    (st = check_data_sensitive(s, timing, why)) != ST_OK)
		return st;
	if (t->method == FLUSH_ONE_CALL_X86 && (st = check_x86_flush(s, n, &flush, why)) != ST_OK)
		return st;
	if (t->method == FLUSH_ONE_CALL_X86 || t->method == FLUSH_ONE_CALL_LRU)
		return check_one_call(t, timing, &flush, why);
	return ST_OK;
}

static enum status
check_interval(const struct timing *t, const struct node *timing, struct fault *why)
{
	enum status	st;

	if (t->interval == 0 && t->max_samples != 0) {
		st = decode_refuse(timing, "max_samples", why, "there is no interval to take more samples for");
		fault_hint(why, "give samples, or an interval (0.01: the median is known to 1 %%)");
		return st;
	}
	if (t->interval == 0)
		return ST_OK;
	if (t->budget_ms == 0)
		return decode_refuse(timing, "budget_ms", why,
		    "is 0: nothing is left for the samples that an interval takes");
	if (t->max_samples != 0 && t->max_samples < t->samples)
		return decode_refuse(timing, "max_samples", why, "is %u, and samples asks for %u at least",
		    t->max_samples, t->samples);
	return ST_OK;
}

/* What is called once a sample has no region of twice the calls.  The first member that says so. */
static enum status
check_difference(const struct spec *s, const struct node *n, const struct node *timing, struct fault *why)
{
	const struct timing	*t = &s->timing;
	enum status		 st = ST_OK;

	if (!t->difference)
		return ST_OK;
	if (t->method == FLUSH_ONE_CALL_LRU || t->method == FLUSH_ONE_CALL_X86)
		st = decode_refuse(timing, "difference", why, "%s times one call after each flush: there are no two "
		    "regions of different length", words_flush[t->method]);
	else if (is_partial(s))
		st = decode_refuse(n, "context", why,
		    "times one call after each flush, and a difference takes many calls");
	else if (has_placed_operand(s))
		st = decode_refuse(timing, "difference", why,
		    "an operand in L2 or L3 is put there before one call only");
	else if (t->calls == 1)
		st = decode_refuse(timing, "calls", why, "is 1: beside two calls one is no region of its own");
	else if (t->estimator == EST_MIN)
		st = decode_refuse(timing, "estimator", why, "the least of differences is the one with most noise");
	if (st != ST_OK)
		fault_hint(why, t->estimator == EST_MIN ? "use median or normalised" :
		    "leave difference out, or use MultiCallFlushLRU or a warm context with more calls");
	return st;
}

enum status
spec_check_timing(const struct spec *s, const struct node *n, struct fault *why)
{
	struct node	timing = decode_member(n, "timing");
	enum status	st = check_interval(&s->timing, &timing, why);

	if (st == ST_OK)
		st = check_difference(s, n, &timing, why);
	if (st == ST_OK)
		st = spec_check_layout(&s->timing, &timing, why);
	if (st == ST_OK)
		st = spec_check_counters(&s->timing, &timing, why);
	if (st == ST_OK)
		st = spec_check_trust(s, &timing, why);
	return st != ST_OK ? st : check_flush(s, n, &timing, why);
}

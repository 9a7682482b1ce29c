/* SPDX-License-Identifier: Apache-2.0 */
/* What of a timing cannot be had together, or not of this routine. */
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

static bool
is_not_warm(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.cache != CACHE_WARM;
}

static bool
has_something_cold(const struct spec *s)
{
	return s->context != CONTEXT_WARM || spec_count_args(s, is_not_warm, NULL) > 0;
}

/* ---- flush ---- */

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
check_wanted(const struct spec *s, const struct node *flush, struct fault *why)
{
	const char	*member = wanted_of_flush(&s->timing);
	enum status	 st;

	if (member == NULL || has_something_cold(s))
		return ST_OK;
	st = decode_refuse(flush, member, why,
	    "there is nothing to flush: the context is warm and so is every operand");
	fault_hint(why, "leave it out, or make the context or an operand cold");
	return st;
}

static enum status
check_bytes(const struct spec *s, const struct node *flush, struct fault *why)
{
	const uint64_t	bytes = s->timing.flush_bytes;

	if (bytes == 0)
		return ST_OK;
	if (s->context == CONTEXT_FLUSH_BYTES && bytes != s->context_flush_bytes)
		return decode_refuse(flush, "bytes", why,
		    "differs from the context's flush_bytes: give one of them");
	if (s->context == CONTEXT_FLUSH_LEVEL)
		return decode_refuse(flush, "bytes", why,
		    "is given beside the context's flush_level: give one of them");
	return ST_OK;
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

/* A partial flush leaves something in the inner caches; working sets bring their translations. */
static enum status
check_tlb(const struct spec *s, const struct node *flush, struct fault *why)
{
	const struct timing	*t = &s->timing;
	enum status		 st;

	if (t->tlb == TLB_COLD && spec_is_partial(s)) {
		st = decode_refuse(flush, "tlb", why, "is true, but emptying the TLB also fills "
		    "the inner caches, which a partial flush is to leave");
		fault_hint(why, "leave it out");
		return st;
	}
	if (t->tlb == TLB_WARM && wants_sets(t) != NULL) {
		st = decode_refuse(flush, "tlb", why,
		    "is false, but MultiCallFlushLRU has other pages in each call");
		fault_hint(why, "leave it out, or use OneCallFlushX86 or OneCallFlushLRU");
		return st;
	}
	return ST_OK;
}

static enum status
check_page_tables(const struct spec *s, const struct node *flush, struct fault *why)
{
	const struct timing	*t = &s->timing;
	enum status		 st = ST_OK;

	if (t->page_tables != TABLES_AUTO && (spec_is_partial(s) || t->flush_bytes != 0)) {
		st = decode_refuse(flush, "page_tables", why,
		    "is \"%s\", but a flush of a given size drives them as far as it does",
		    tables_name(t->page_tables));
		fault_hint(why, "leave it out");
	} else if (t->page_tables == TABLES_MEMORY && t->tlb == TLB_WARM) {
		st = decode_refuse(flush, "page_tables", why,
		    "is \"memory\", but \"tlb\" is false, and translations in the TLB need "
		    "no page tables");
		fault_hint(why, "leave one of the two out");
	}
	return st;
}

/*
 * A search in a list ends where the data say.  A call may leave most of its set untouched, so the
 * sets are smaller than the area's size assumes (section 4).
 */
static enum status
check_data_sensitive(const struct spec *s, const struct node *timing, struct fault *why)
{
	const char	*member = wants_sets(&s->timing);
	enum status	 st;

	if (!s->data_sensitive || !has_something_cold(s) || member == NULL)
		return ST_OK;
	st = decode_refuse(timing, member, why,
	    "asks for MultiCallFlushLRU, but the routine is data_sensitive: how much of a working "
	    "set a call touches is not known, so later calls may find theirs in a cache");
	fault_hint(why, "use OneCallFlushX86 or OneCallFlushLRU");
	return st;
}

/* clflush evicts operands line by line: there is no area that could have a size. */
static enum status
check_x86_flush(const struct spec *s, const struct node *n, const struct node *flush,
    struct fault *why)
{
	enum status	st;

	if (!spec_is_partial(s) && s->timing.flush_bytes == 0)
		return ST_OK;
	if (spec_is_partial(s))
		st = decode_refuse(n, "context", why, "OneCallFlushX86 cannot flush partially");
	else
		st = decode_refuse(flush, "bytes", why,
		    "OneCallFlushX86 has no area to give a size");
	fault_hint(why, "use OneCallFlushLRU, or leave the size out");
	return st;
}

static enum status
check_one_call(const struct timing *t, const struct node *timing, const struct node *flush,
    struct fault *why)
{
	enum status	st;

	if (t->calls > 1) {
		st = decode_refuse(timing, "calls", why,
		    "is %u, but %s times one call after each flush", t->calls,
		    flush_method_name(t->method));
		fault_hint(why, "leave calls out, or use MultiCallFlushLRU");
		return st;
	}
	if (t->walk != WALK_AUTO) {
		st = decode_refuse(flush, "walk", why, "%s has no working sets to walk",
		    flush_method_name(t->method));
		fault_hint(why, "leave walk out, or use MultiCallFlushLRU");
		return st;
	}
	return ST_OK;
}

static bool
is_one_call(const struct timing *t)
{
	return t->method == FLUSH_ONE_CALL_LRU || t->method == FLUSH_ONE_CALL_X86;
}

static enum status
check_flush(const struct spec *s, const struct node *n, const struct node *timing,
    struct fault *why)
{
	const struct timing	*t = &s->timing;
	struct node		 flush = decode_member(timing, "flush");
	enum status		 st;

	if ((st = check_wanted(s, &flush, why)) != ST_OK ||
	    (st = check_bytes(s, &flush, why)) != ST_OK ||
	    (st = check_tlb(s, &flush, why)) != ST_OK ||
	    (st = check_page_tables(s, &flush, why)) != ST_OK ||
	    (st = check_data_sensitive(s, timing, why)) != ST_OK)
		return st;
	if (t->method == FLUSH_ONE_CALL_X86 && (st = check_x86_flush(s, n, &flush, why)) != ST_OK)
		return st;
	return is_one_call(t) ? check_one_call(t, timing, &flush, why) : ST_OK;
}

/* ---- samples ---- */

static enum status
check_interval(const struct timing *t, const struct node *timing, struct fault *why)
{
	enum status	st;

	if (t->interval == 0 && t->max_samples != 0) {
		st = decode_refuse(timing, "max_samples", why,
		    "there is no interval to take more samples for");
		fault_hint(why,
		    "give samples, or an interval (0.01: the median is known to 1 %%)");
		return st;
	}
	if (t->interval == 0)
		return ST_OK;
	if (t->budget_ms == 0)
		return decode_refuse(timing, "budget_ms", why,
		    "is 0: nothing is left for the samples that an interval takes");
	if (t->max_samples != 0 && t->max_samples < t->samples)
		return decode_refuse(timing, "max_samples", why,
		    "is %u, and samples asks for %u at least", t->max_samples, t->samples);
	return ST_OK;
}

/* NULL: the samples can be shared out. */
static const char *
why_no_sharing(const struct timing *t)
{
	if (t->layout == LAYOUT_RANDOM)
		return "layout: random has each layout in a process of its own";
	return t->trust == TRUST_ASKED_VERIFIED ?
	    "trust: verified takes all samples in one process" : NULL;
}

static enum status
check_processes(const struct timing *t, const struct node *timing, struct fault *why)
{
	const char	*whole = why_no_sharing(t);
	enum status	 st;

	if (t->processes <= 1)
		return ST_OK;
	if (whole != NULL) {
		st = decode_refuse(timing, "processes", why, "%s", whole);
		fault_hint(why, "leave processes out");
		return st;
	}
	if (t->samples == 0 || t->processes <= t->samples)
		return ST_OK;
	st = decode_refuse(timing, "processes", why, "are %u, which share %u sample%s",
	    t->processes, t->samples, t->samples == 1 ? "" : "s");
	fault_hint(why, "give as many samples at least");
	return st;
}

static bool
is_placed(const struct spec *s, size_t i)
{
	const enum cache_state	c = s->args[i].operand.cache;

	return s->args[i].is_operand && (c == CACHE_L2 || c == CACHE_L3);
}

/* A routine that is called once in a sample has no region of twice the calls. */
static enum status
check_difference(const struct spec *s, const struct node *n, const struct node *timing,
    struct fault *why)
{
	const struct timing	*t = &s->timing;
	enum status		 st = ST_OK;

	if (!t->difference)
		return ST_OK;
	if (is_one_call(t))
		st = decode_refuse(timing, "difference", why, "%s times one call after each "
		    "flush: there are no two regions of different length",
		    flush_method_name(t->method));
	else if (spec_is_partial(s))
		st = decode_refuse(n, "context", why,
		    "times one call after each flush, and a difference takes many calls");
	else if (spec_count_args(s, is_placed, NULL) > 0)
		st = decode_refuse(timing, "difference", why,
		    "an operand in L2 or L3 is put there before one call only");
	else if (t->calls == 1)
		st = decode_refuse(timing, "calls", why,
		    "is 1: beside two calls one is no region of its own");
	else if (t->serialised)
		st = decode_refuse(timing, "serialised", why,
		    "puts a fence behind each call, and a difference has nothing subtracted");
	else if (t->estimator == EST_MIN)
		st = decode_refuse(timing, "estimator", why,
		    "the least of differences is the one with most noise");
	if (st != ST_OK)
		fault_hint(why, t->serialised ? "leave one of them out" :
		    t->estimator == EST_MIN ? "use median or normalised" :
		    "leave difference out, or use MultiCallFlushLRU or a warm context with more "
		    "calls");
	return st;
}

/* ---- states of lines ---- */

/* The member that asks for several calls after one placing of operands; NULL: none does. */
static const char *
wants_calls(const struct timing *t)
{
	if (t->method == FLUSH_MULTI_CALL_LRU)
		return "flush.method";
	if (t->walk != WALK_AUTO)
		return "flush.walk";
	if (t->guard == GUARD_SEPARATE)
		return "range_guard";
	return t->calls > 1 ? "calls" : t->difference ? "difference" : NULL;
}

/* A call changes the state of what it writes; and what it reads from memory is clean. */
static enum status
check_states(const struct spec *s, const struct node *timing, struct fault *why)
{
	const char	*member = wants_calls(&s->timing);
	size_t		 arg;
	enum status	 st;

	if (member == NULL || spec_count_args(s, spec_is_for_one_call, &arg) == 0)
		return ST_OK;
	st = decode_refuse(timing, member, why, "asks for several calls a sample, but \"%s\" is "
	    "made %s before one call only", s->routine.params[arg].name,
	    line_state_name(s->args[arg].operand.state));
	fault_hint(why, "leave one of them out");
	return st;
}

/* ---- static memory ---- */

static bool
is_static(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.memory == MEMORY_STATIC;
}

/* Working sets that a static operand would be in: of cold operands, of separate outputs. */
static bool
is_static_and_moves(const struct spec *s, size_t i)
{
	const struct operand	*o = &s->args[i].operand;

	return is_static(s, i) && (o->cache == CACHE_COLD ||
	    (s->timing.guard == GUARD_SEPARATE && o->access != ACCESS_IN));
}

static enum status
check_static(const struct spec *s, const struct node *timing, struct fault *why)
{
	const char	*member = s->timing.guard == GUARD_SEPARATE ? "range_guard" :
			    wants_sets(&s->timing);
	size_t		 arg;
	enum status	 st;

	if (member == NULL || spec_count_args(s, is_static_and_moves, &arg) == 0)
		return ST_OK;
	st = decode_refuse(timing, member, why, "asks for operands that take turns, but \"%s\" is "
	    "static: it has one place", s->routine.params[arg].name);
	fault_hint(why, "leave one of them out");
	return st;
}

/* ---- layout ---- */

static enum status
refuse_when_fixed(const struct node *timing, struct fault *why)
{
	static const char *const	members[] = { "layouts", "layout_seed" };
	enum status			st;

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		if (decode_member(timing, members[i]).value != NULL) {
			st = decode_refuse(timing, members[i], why,
			    "there is but one layout: it is fixed");
			fault_hint(why, "leave it out, or set layout to \"sweep\" or \"random\"");
			return st;
		}
	return ST_OK;
}

static enum status
check_layout(const struct timing *t, const struct node *timing, struct fault *why)
{
	enum status	st;

	if (t->layout == LAYOUT_FIXED)
		return refuse_when_fixed(timing, why);
	if (t->layout == LAYOUT_RANDOM && t->interval != 0) {
		st = decode_refuse(timing, "interval", why,
		    "over random layouts is as narrow as they are many");
		fault_hint(why, "leave it out and give more layouts, or set layout to \"fixed\" "
		    "or \"sweep\"");
		return st;
	}
	if (t->layout != LAYOUT_RANDOM || t->estimator != EST_MIN)
		return ST_OK;
	st = decode_refuse(timing, "estimator", why,
	    "is \"min\", which would be the time of the luckiest layout");
	fault_hint(why, "layout \"random\" is for a time over all layouts: use \"median\", or "
	    "leave estimator out");
	return st;
}

static enum status
check_counters(const struct timing *t, const struct node *timing, struct fault *why)
{
	enum status	st;

	if (t->ncounters == 0 || t->layout != LAYOUT_RANDOM)
		return ST_OK;
	st = decode_refuse(timing, "counters", why,
	    "are read in one process, and layout: random has many");
	fault_hint(why, "leave counters out, or use another layout");
	return st;
}

enum status
spec_check_timing(const struct spec *s, const struct node *n, struct fault *why)
{
	struct node	timing = decode_member(n, "timing");
	enum status	st;

	if ((st = check_interval(&s->timing, &timing, why)) != ST_OK ||
	    (st = check_difference(s, n, &timing, why)) != ST_OK ||
	    (st = check_states(s, &timing, why)) != ST_OK ||
	    (st = check_processes(&s->timing, &timing, why)) != ST_OK ||
	    (st = check_static(s, &timing, why)) != ST_OK ||
	    (st = check_layout(&s->timing, &timing, why)) != ST_OK ||
	    (st = check_counters(&s->timing, &timing, why)) != ST_OK ||
	    (st = spec_check_metric(s, &timing, why)) != ST_OK ||
	    (st = spec_check_trust(s, &timing, why)) != ST_OK)
		return st;
	return check_flush(s, n, &timing, why);
}

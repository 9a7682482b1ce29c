/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions under which a time can be more than a claim. */
#include "proto/spec/spec_parts.h"

static bool
is_fresh_input(const struct spec *s, size_t i)
{
	const struct operand	*o = &s->args[i].operand;

	return s->args[i].is_operand && o->access != ACCESS_OUT &&
	    (o->init.kind == INIT_RANDOM || o->init.kind == INIT_TEXT);
}

static bool
is_slow_input(const struct spec *s, size_t i)
{
	const struct operand	*o = &s->args[i].operand;

	return s->args[i].is_operand && o->access != ACCESS_OUT && spec_is_slow_to_draw(o);
}

/* Inputs that are drawn anew, and a reference that knows the answer to them. */
static enum status
check_audits(const struct spec *s, const struct node *timing, struct fault *why)
{
	const char	*word = trust_asked_name(s->timing.trust);
	size_t		 slow;
	enum status	 st;

	if (s->timing.layout == LAYOUT_RANDOM) {
		st = decode_refuse(timing, "trust", why,
		    "%s, but processes of many layouts are not audited", word);
		fault_hint(why, "leave layout out, or make it \"sweep\"");
		return st;
	}
	if (!s->check.present) {
		st = decode_refuse(timing, "trust", why,
		    "%s, but there is no reference to answer fresh inputs", word);
		fault_hint(why, "give check.reference");
		return st;
	}
	if (spec_count_args(s, is_slow_input, &slow) > 0) {
		st = decode_refuse(timing, "trust", why,
		    "%s, but %s is too large to be put in order anew for every call", word,
		    s->routine.params[slow].name);
		fault_hint(why, "1 MiB is not, nor are random numbers in random order");
		return st;
	}
	if (spec_count_args(s, is_fresh_input, NULL) > 0)
		return ST_OK;
	st = decode_refuse(timing, "trust", why, "%s, but no input is random, so none can be fresh",
	    word);
	fault_hint(why, "give an operand that is read the init \"random\"");
	return st;
}

static bool
is_not_cold(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.cache != CACHE_COLD;
}

/* The supervisor times single calls then, on operands that it has just written and flushed. */
static enum status
check_verified(const struct spec *s, const struct node *timing, struct fault *why)
{
	enum status	st = ST_OK;

	if (s->context != CONTEXT_COLD || spec_count_args(s, is_not_cold, NULL) > 0)
		st = decode_refuse(timing, "trust", why,
		    "verified, but every operand is cold when the supervisor has written it");
	else if (s->timing.calls > 1 || s->timing.method != FLUSH_AUTO)
		st = decode_refuse(timing, "trust", why,
		    "verified: the supervisor times single calls, flushed by itself");
	else if (s->timing.layout != LAYOUT_FIXED)
		st = decode_refuse(timing, "trust", why,
		    "verified: the supervisor times one process, in the fixed layout");
	else if (s->timing.clock != CLK_AUTO && s->timing.clock != CLK_WALL)
		st = decode_refuse(timing, "trust", why,
		    "verified: the clock is the supervisor's, a wall clock");
	if (st != ST_OK)
		fault_hint(why, "ask for \"audited\", or leave the other out");
	return st;
}

enum status
spec_check_trust(const struct spec *s, const struct node *timing, struct fault *why)
{
	enum status	st = ST_OK;

	if (s->timing.trust == TRUST_ASKED_AUDITED || s->timing.trust == TRUST_ASKED_VERIFIED)
		st = check_audits(s, timing, why);
	if (st == ST_OK && s->timing.trust == TRUST_ASKED_VERIFIED)
		st = check_verified(s, timing, why);
	return st;
}

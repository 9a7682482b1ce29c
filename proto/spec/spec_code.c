/* SPDX-License-Identifier: Apache-2.0 */
/* What cannot be had with cold code: only the first call of a sample would find it cold. */
#include "proto/spec/spec_parts.h"

static enum status
refuse(const struct node *n, const char *member, const char *reason, struct fault *why)
{
	enum status	st = decode_refuse(n, member, why, "%s", reason);

	fault_hint(why, "leave it out, or code: \"cold\"");
	return st;
}

static enum status
check_timing(const struct timing *t, const struct node *timing, struct fault *why)
{
	struct node	flush = decode_member(timing, "flush");

	if (t->calls > 1)
		return refuse(timing, "calls", "is more than 1, but after the first call of a "
		    "sample the routine's code is in a cache", why);
	if (t->difference)
		return refuse(timing, "difference", "takes many calls, and after the first one "
		    "the routine's code is in a cache", why);
	if (t->guard == GUARD_SEPARATE)
		return refuse(timing, "range_guard", "is for several calls a sample, and after "
		    "the first one the routine's code is in a cache", why);
	if (t->trust > TRUST_ASKED_CLAIMED)
		return refuse(timing, "trust", "cannot be had for cold code: the calls of an audit "
		    "find it in a cache", why);
	if (t->method == FLUSH_MULTI_CALL_LRU)
		return refuse(&flush, "method", "has many calls a sample, and after the first one "
		    "the routine's code is in a cache", why);
	if (t->walk != WALK_AUTO)
		return refuse(&flush, "walk", "is over working sets, a call for each; after the "
		    "first one the routine's code is in a cache", why);
	return ST_OK;
}

enum status
spec_check_code(const struct spec *s, const struct node *n, struct fault *why)
{
	struct node	timing = decode_member(n, "timing");

	return s->code == CODE_COLD ? check_timing(&s->timing, &timing, why) : ST_OK;
}

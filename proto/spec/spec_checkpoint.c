/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spec with a checkpoint image: operands, their places and the number of calls are the image's.
 */
#include <ctype.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

/* A file's name in the daemon's directory of images, and no way out of it. */
static bool
is_file_name(const char *name)
{
	if (name[0] == '\0' || name[0] == '.')
		return false;
	for (const char *c = name; *c != '\0'; c++)
		if (!isgraph((unsigned char)*c) || *c == '/')
			return false;
	return true;
}

enum status
spec_check_image_name(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	enum status	 st;

	s->context = CONTEXT_WARM;	/* unless it is given: what the image's own calls leave */
	s->check.image = true;
	if (is_file_name(s->checkpoint))
		return ST_OK;
	st = decode_refuse(n, NULL, why, "must be the name of a file in the daemon's directory of "
	    "images, without a \"/\"");
	fault_hint(why, "\"mainGtU.image\", with the file in the directory that assayd was given "
	    "as --images");
	return st;
}

const char *
spec_asks_for_calls(const struct timing *t)
{
	if (t->calls > 1)
		return "calls";
	if (t->serialised)
		return "serialised";
	if (t->difference)
		return "difference";
	if (t->ncounters > 0)
		return "counters";
	if (t->method != FLUSH_AUTO || t->walk != WALK_AUTO || t->tlb != TLB_AUTO ||
	    t->flush_bytes != 0 || t->page_tables != TABLES_AUTO)
		return "flush";
	if (t->layout != LAYOUT_FIXED)
		return "layout";
	if (t->guard != GUARD_AUTO && t->guard != GUARD_NONE)
		return "range_guard";
	return t->trust > TRUST_ASKED_CLAIMED ? "trust" : NULL;
}

enum status
spec_check_checkpoint(const struct spec *s, const struct node *n, struct fault *why)
{
	struct node	 timing = decode_member(n, "timing");
	const char	*member = spec_asks_for_calls(&s->timing);
	enum status	 st = ST_OK;

	if (s->checkpoint == NULL)
		return ST_OK;
	if (json_object_get(n->value, "args") != NULL)
		st = decode_refuse(n, "args", why,
		    "are given beside a checkpoint: its image has what the routine is "
		    "called with");
	else if (s->context != CONTEXT_WARM && s->context != CONTEXT_COLD)
		st = decode_refuse(n, "context", why,
		    "must be warm or cold: an image's memory is left alone or flushed "
		    "whole");
	else if (member != NULL)
		st = decode_refuse(&timing, member, why,
		    "cannot be had with a checkpoint: each sample is the last call of "
		    "what the image runs, on the image's memory");
	if (st != ST_OK)
		fault_hint(why, "leave it out");
	return st;
}

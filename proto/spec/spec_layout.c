/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

enum status
spec_decode_layout(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_enum(n, words_layout, &t->layout, why);
}

enum status
spec_decode_layouts(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;
	int64_t		 count = SPEC_LAYOUTS;
	enum status	 st = decode_integer(n, 2, SPEC_MAX_LAYOUTS, &count, why);

	t->layouts = (unsigned)count;
	return st;
}

enum status
spec_decode_layout_seed(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;

	return decode_size(n, 0, INT64_MAX, &t->layout_seed, why);
}

static enum status
refuse_when_fixed(const struct node *timing, struct fault *why)
{
	static const char *const	members[] = { "layouts", "layout_seed" };
	enum status			st;

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		if (decode_member(timing, members[i]).value != NULL) {
			st = decode_refuse(timing, members[i], why, "there is but one layout: it is fixed");
			fault_hint(why, "leave it out, or set layout to \"sweep\" or \"random\"");
			return st;
		}
	return ST_OK;
}

enum status
spec_check_layout(const struct timing *t, const struct node *timing, struct fault *why)
{
	enum status	st;

	if (t->layout == LAYOUT_FIXED)
		return refuse_when_fixed(timing, why);
	if (t->layout == LAYOUT_RANDOM && t->interval != 0) {
		st = decode_refuse(timing, "interval", why, "over random layouts is as narrow as they are many");
		fault_hint(why, "leave it out and give more layouts, or set layout to \"fixed\" or \"sweep\"");
		return st;
	}
	if (t->layout != LAYOUT_RANDOM || t->estimator != EST_MIN)
		return ST_OK;
	st = decode_refuse(timing, "estimator", why, "is \"min\", which would be the time of the luckiest layout");
	fault_hint(why, "layout \"random\" is for a time over all layouts: use \"median\", or leave estimator out");
	return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The place of operands before a call, unless they name one themselves. */
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define FORMS	"\"cold\", \"warm\", { \"flush_bytes\": n } or " \
		"{ \"flush_level\": \"L1\", \"L2\" or \"L3\" }"

static enum status
check_bytes(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	(void)n;
	(void)why;
	s->context = CONTEXT_FLUSH_BYTES;
	return ST_OK;
}

static enum status
check_level(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	(void)n;
	(void)why;
	s->context = CONTEXT_FLUSH_LEVEL;
	s->context_level += CACHE_L1;		/* its words are those of the caches alone */
	return ST_OK;
}

bool
spec_is_partial(const struct spec *s)
{
	return s->context == CONTEXT_FLUSH_BYTES || s->context == CONTEXT_FLUSH_LEVEL;
}

static const struct shape_row	context_rows[] = {
	SPEC_ROW(offsetof(struct spec, context_flush_bytes), "flush_bytes", SHAPE_SIZE, .least = 1,
	    .most = SPEC_MAX_FLUSH_BYTES, .check = check_bytes),
	SPEC_ROW(offsetof(struct spec, context_level), "flush_level", SHAPE_WORD,
	    .words = &words_cache[CACHE_L1], .check = check_level),
};
const struct shape		context_shape = SHAPE_OF(struct spec, context_rows);

/* One of the two. */
static enum status
get_partial(struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st;

	if (json_object_size(n->value) > 0 &&
	    (st = shape_get(&context_shape, s, n, SHAPE_WRITTEN, why)) != ST_OK)
		return st;
	if (json_object_size(n->value) == 1)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "must have flush_bytes or flush_level, and not both");
	fault_hint(why, FORMS);
	return st;
}

enum status
spec_get_context(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	enum status	 st;

	if (json_is_object(n->value))
		return get_partial(s, n, why);
	if (!json_is_string(n->value)) {
		st = decode_refuse(n, NULL, why, "must be a string or an object");
		fault_hint(why, FORMS);
		return st;
	}
	return decode_enum(n, words_context, &s->context, why);
}

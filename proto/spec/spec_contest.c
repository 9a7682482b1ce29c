/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of a comparison. */
#include "proto/spec/spec_parts.h"

static const char *const	words_tie_break[] = { "size", NULL };

static enum status
get_tie_break(void *out, const struct node *n, struct fault *why)
{
	bool		*by_size = out;
	unsigned	 word;

	*by_size = !json_is_null(n->value);
	return *by_size ? decode_word(n, words_tie_break, &word, why) : ST_OK;
}

#define ROW(member, ...) SHAPE_ROW(struct contest, member, __VA_ARGS__)
static const struct shape_row	contest_rows[] = {
	ROW(error, SHAPE_REAL, .low = 1e-6, .high = 0.5, SHAPE_DEFAULT(0.05)),
	ROW(resolution, SHAPE_REAL, .low = 0, .high = 0.5, SHAPE_DEFAULT(0.01)),
	ROW(max_pairs, SHAPE_COUNT, .least = SPEC_MIN_PAIRS, .most = SPEC_MAX_PAIRS,
	    SHAPE_DEFAULT(SPEC_PAIRS)),
	SPEC_ROW(offsetof(struct contest, by_size), "tie_break", SHAPE_OWN_PART,
	    .get = get_tie_break, .words = words_tie_break, .forms = FORM_NULL,
	    .preset_text = "null"),
};
const struct shape		contest_shape = SHAPE_OF(struct contest, contest_rows);

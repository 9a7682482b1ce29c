/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/bench/overrun.h"

/* Bytes from an end of the operand, the address being outside; UINT64_MAX: too far. */
static uint64_t
distance(const struct runner_bounds *b, uint64_t at)
{
	const uint64_t	bytes = at < b->from ? b->from - at : at - b->to;

	return b->to > b->from && bytes <= b->reach ? bytes : UINT64_MAX;
}

static bool
is_inside(const struct runner_bounds *b, uint64_t at)
{
	return at >= b->from && at < b->to;
}

struct overrun
overrun_find(const struct runner_bounds *b, size_t n, const struct runner_touch *touch)
{
	const struct overrun	none = { -1, false, touch->access < RUNNER_NACCESSES ?
				    (enum runner_access)touch->access : RUNNER_ACCESS };
	struct overrun		found = none;
	uint64_t		nearest = UINT64_MAX;

	for (size_t i = 0; touch->at != 0 && i < n; i++) {
		const uint64_t	bytes = distance(&b[i], touch->at);

		if (is_inside(&b[i], touch->at))
			return none;
		if (bytes >= nearest)
			continue;
		nearest = bytes;
		found.operand = (int)(i % RUNNER_OPERANDS);
		found.in_front = touch->at < b[i].from;
	}
	return found;
}

const char *
overrun_words(const struct overrun *o)
{
	static const char *const	words[RUNNER_NACCESSES][2] = {
		[RUNNER_ACCESS] = { "access beyond the end of operand",
		    "access before the beginning of operand" },
		[RUNNER_READ] = { "read beyond the end of operand",
		    "read before the beginning of operand" },
		[RUNNER_WRITE] = { "write beyond the end of operand",
		    "write before the beginning of operand" },
	};

	return words[o->access][o->in_front];
}

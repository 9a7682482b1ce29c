/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/lines.h"

static uint64_t
lines_of_piece(const struct rt_range *r, uint32_t line_bytes)
{
	return (r->piece_bytes + line_bytes - 1) / line_bytes;
}

static uint64_t
lines_of(const struct rt_range *r, uint32_t line_bytes)
{
	return r->step_bytes < line_bytes ? r->pieces * r->step_bytes / line_bytes :
	    r->pieces * lines_of_piece(r, line_bytes);
}

static const char *
line_at(const struct rt_range *r, uint64_t n, uint32_t line_bytes)
{
	const uint64_t	in_piece = lines_of_piece(r, line_bytes);

	if (r->step_bytes < line_bytes)
		return r->at + n * line_bytes;
	return r->at + n / in_piece * r->step_bytes + n % in_piece * line_bytes;
}

static struct rt_range
part_for(const struct rt_live *l, const uint32_t *walk, int part)
{
	return rt_live_part(l, walk != NULL && l->far != NULL ? rt_live_far(l, *walk) : l->home,
	    part);
}

uint64_t
rt_lines(const struct rt_live *l, const uint32_t *walk, uint32_t line_bytes)
{
	uint64_t	lines = 0;

	for (int part = 0; part < rt_live_parts(l); part++) {
		struct rt_range	r = part_for(l, walk, part);

		lines += lines_of(&r, line_bytes);
	}
	return lines;
}

const char *
rt_line(const struct rt_live *l, const uint32_t *walk, uint32_t line_bytes, uint64_t n)
{
	struct rt_range	r = part_for(l, walk, 0);
	uint64_t	own = lines_of(&r, line_bytes);

	if (n < own)
		return line_at(&r, n, line_bytes);
	r = part_for(l, walk, 1);
	return line_at(&r, n - own, line_bytes);
}

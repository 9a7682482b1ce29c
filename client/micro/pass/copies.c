/* SPDX-License-Identifier: Apache-2.0 */
#include "client/micro/pass/copies.h"

static uint64_t
power(uint64_t base, uint64_t exponent)
{
	uint64_t	result = 1;

	for (; exponent > 0 && base > 1; exponent--)
		result *= base;
	return result;
}

struct choice
choice_part(struct choice c, uint64_t part, uint64_t parts)
{
	const uint64_t	each = c.copies / parts, ways = power(c.each_ways, each);

	for (uint64_t behind = parts - 1 - part; behind > 0 && ways > 1; behind--)
		c.each /= ways;
	if (ways > 1)
		c.each %= ways;
	c.copies = each;
	return c;
}

struct part {
	uint64_t	 part, parts;
};

static bool
take_part(void *arg, struct pattern *p)
{
	const struct part	*of = arg;

	p->choice = choice_part(p->choice, of->part, of->parts);
	return true;
}

struct statement
statement_part(struct program *of, const struct statement *from, uint64_t part, uint64_t parts)
{
	struct part		 which = { part, parts };
	struct statement	 s = *from;

	if (s.kind == STATEMENT_PATTERN) {
		s.pattern = pattern_clone(of->arena, from->pattern);
		(void)take_part(&which, s.pattern);
	}
	if (s.kind == STATEMENT_KERNEL) {
		s.kernel = kernel_clone(of->arena, from->kernel);
		(void)kernel_each_pattern(s.kernel, take_part, &which);
	}
	return s;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * immediate selection: one program for each value of an immediate, before unrolling or for each
 * copy.  One that is linked takes the value of the instruction of that name, of the same copy.
 */
#include <string.h>

#include "client/micro/pass/pass.h"

static uint64_t
ways(const struct pattern *p, bool is_after)
{
	const struct slot	*s = pattern_open_immediate(p);

	return s != NULL && (p->immediate == WHEN_AFTER) == is_after ? range_count(&s->values) : 1;
}

static void
apply(struct pattern *p, uint64_t way, bool is_after)
{
	struct slot	*s = pattern_open_immediate(p);

	if (s != NULL && (p->immediate == WHEN_AFTER) == is_after && s->values.linked == NULL)
		s->value = range_value(&s->values, way);
}

static uint64_t
ways_before(const struct pattern *p)
{
	return ways(p, false);
}

static uint64_t
ways_after(const struct pattern *p)
{
	return ways(p, true);
}

static void
apply_before(struct program *of, struct pattern *p, uint64_t way)
{
	(void)of;
	apply(p, way, false);
}

static void
apply_after(struct program *of, struct pattern *p, uint64_t way)
{
	(void)of;
	apply(p, way, true);
}

/* ---- links ---- */

struct search {
	const char		*name;
	unsigned		 copy;
	const struct slot	*found, *first;
};

static bool
look(void *arg, struct pattern *p)
{
	struct search	*s = arg;

	if (p->name == NULL || strcmp(p->name, s->name) != 0 || pattern_open_immediate(p) == NULL)
		return true;
	if (s->first == NULL)
		s->first = pattern_open_immediate(p);
	if (p->copy == s->copy)
		s->found = pattern_open_immediate(p);
	return s->found == NULL;
}

static bool
follow(void *arg, struct pattern *p)
{
	const struct program	*of = arg;
	struct slot		*own = pattern_open_immediate(p);
	struct search		 s = { .copy = p->copy };

	if (own == NULL || own->values.linked == NULL)
		return true;
	s.name = own->values.linked;
	(void)kernel_each_pattern(of->root, look, &s);
	if (s.found != NULL || s.first != NULL)
		own->value = (s.found != NULL ? s.found : s.first)->value;
	return true;
}

static enum status
run(struct program *of, struct fault *why)
{
	(void)why;
	(void)kernel_each_pattern(of->root, follow, of);
	return ST_OK;
}

const struct pass	pass_immediate_before = {
	.name = "immediate_before", .text = "each value of an immediate, all copies the same",
	.kind = PASS_BEFORE, .ways = ways_before, .apply = apply_before, .run = run,
};

const struct pass	pass_immediate_after = {
	.name = "immediate_after", .text = "each value of an immediate, each copy for itself",
	.kind = PASS_AFTER, .ways = ways_after, .apply = apply_after, .run = run,
};

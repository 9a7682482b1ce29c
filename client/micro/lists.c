/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "client/micro/lists.h"
#include "client/micro/read/nodes.h"
#include "client/micro/space/ways.h"

void
lists_passes(const struct micro *m, FILE *to)
{
	for (size_t i = 0; i < m->passes->n; i++)
		(void)fprintf(to, "%2zu  %-22s  %-11s  %-3s  %s\n", i + 1, m->passes->at[i].name,
		    pass_kind_word(m->passes->at[i].kind), m->passes->at[i].gate != NULL ? "gate" :
		    "", m->passes->at[i].text);
}

/* The nodes that it may stand in. */
static void
put_parents(const struct node *n, FILE *to)
{
	const char	*separator = "";

	for (size_t i = 0; i < nodes_count(); i++) {
		const struct node	*parent = nodes_at(i);

		if (parent->id == NODE_LEAF || (n->parents >> parent->id & 1) == 0)
			continue;
		(void)fprintf(to, "%s%s", separator, parent->name);
		separator = ", ";
	}
}

void
lists_nodes(const struct micro *m, FILE *to)
{
	(void)m;
	for (size_t i = 0; i < nodes_count(); i++) {
		const struct node	*n = nodes_at(i);

		(void)fprintf(to, "%s\t", n->name);
		put_parents(n, to);
		(void)fprintf(to, "\t%s\n", n->summary);
	}
}

struct choices {
	const struct micro	*micro;
	const struct pass	*pass;
	uint64_t		 most;
};

/* What a pass chooses for an instruction, … */
static uint64_t
ways_of_pattern(const struct choices *c, const struct pattern *p)
{
	struct range	r;

	if (c->pass->kind == PASS_REPEAT && !c->pass->is_kernels) {
		r = ways_repetition(c->micro, p);
		return range_count(&r);
	}
	return c->pass->ways != NULL ? c->pass->ways(p) : 1;
}

/* … and for a kernel. */
static uint64_t
ways_of_kernel(const struct choices *c, const struct kernel *k)
{
	struct range	r = range_of_one(1);

	if (c->pass->kind == PASS_UNROLL && k->unrolling.linked == NULL)
		r = ways_unrolling(c->micro, k);
	else if (c->pass->kind == PASS_REPEAT && c->pass->is_kernels)
		r = ways_kernel_repetition(c->micro, k);
	return c->pass->kernel_ways != NULL ? c->pass->kernel_ways(k) : range_count(&r);
}

static bool
look_at_pattern(void *arg, struct pattern *p)
{
	struct choices	*c = arg;
	const uint64_t	 ways = ways_of_pattern(c, p);

	c->most = ways > c->most ? ways : c->most;
	return true;
}

static bool
look_at_kernel(void *arg, struct kernel *k)
{
	struct choices	*c = arg;
	const uint64_t	 ways = ways_of_kernel(c, k);

	c->most = ways > c->most ? ways : c->most;
	return true;
}

void
lists_choices(const struct micro *m, FILE *to)
{
	for (size_t i = 0; i < m->passes->n; i++) {
		struct choices	c = { .micro = m, .pass = &m->passes->at[i], .most = 1 };

		if (!pass_is_on(c.pass, m)) {
			(void)fprintf(to, "%s: off\n", c.pass->name);
			continue;
		}
		(void)kernel_each_pattern(m->root, look_at_pattern, &c);
		(void)kernel_each(m->root, look_at_kernel, &c);
		if (c.most > 1)
			(void)fprintf(to, "%s: among %" PRIu64 "\n", c.pass->name, c.most);
		else
			(void)fprintf(to, "%s\n", c.pass->name);
	}
	(void)fprintf(to, "programs: %" PRIu64 "\n", m->count);
}

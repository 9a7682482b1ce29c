/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "client/micro/lists.h"
#include "client/micro/pass/passes.h"
#include "client/micro/read/nodes.h"

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
	const struct pass	*pass;
	uint64_t		 most;
};

static bool
look_at_pattern(void *arg, struct pattern *p)
{
	struct choices	*c = arg;
	const uint64_t	 ways = c->pass->ways(p);

	c->most = ways > c->most ? ways : c->most;
	return true;
}

static bool
look_at_kernel(void *arg, struct kernel *k)
{
	struct choices	*c = arg;
	const uint64_t	 ways = c->pass->kernel_ways(k);

	c->most = ways > c->most ? ways : c->most;
	return true;
}

void
lists_choices(const struct micro *m, FILE *to)
{
	for (size_t i = 0; i < m->passes->n; i++) {
		struct choices	c = { .pass = &m->passes->at[i], .most = 1 };

		if (!pass_is_on(c.pass, m)) {
			(void)fprintf(to, "%s: off\n", c.pass->name);
			continue;
		}
		if (c.pass->ways != NULL)
			(void)kernel_each_pattern(m->root, look_at_pattern, &c);
		if (c.pass->kernel_ways != NULL)
			(void)kernel_each(m->root, look_at_kernel, &c);
		if (c.most > 1)
			(void)fprintf(to, "%s: among %" PRIu64 "\n", c.pass->name, c.most);
		else
			(void)fprintf(to, "%s\n", c.pass->name);
	}
	(void)fprintf(to, "programs: %" PRIu64 "\n", m->count);
}

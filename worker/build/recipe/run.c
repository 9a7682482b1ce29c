/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <sys/stat.h>

#include "worker/build/recipe/run.h"

/* Some flags have a driver print what it knows, and end well. */
static void
want_object(int result_fd, struct compiled *c)
{
	struct stat	sb;

	if (c->status != ST_OK || fstat(result_fd, &sb) == -1 || sb.st_size > 0)
		return;
	c->status = ST_BUILD_FAILED;
	compile_say_first(c, "the compiler made no object");
}

void
recipe_run(struct recipe *r, const struct scratch *scratch, struct inproc *inproc,
    const struct compile *where, int result_fd, struct compiled *c)
{
	struct compile		order = *where;
	struct step_line	line;
	struct fault		why;

	*c = (struct compiled){ .status = ST_INTERNAL };
	scratch_empty(scratch);
	if (recipe_put(r, scratch, &why) != ST_OK) {
		c->words = strdup(why.text);
		return;
	}
	order.argv = r->words;
	order.result = RECIPE_OBJECT;
	order.result_fd = result_fd;
	r->words[r->nwords] = NULL;
	if (inproc_is_for(r)) {
		if (inproc_run(inproc, r, scratch, &order, c))
			return;
	} else if (r->steps != NULL &&
	    steps_put(r->steps, r->words + r->first_macro, r->nmacros, &line)) {
		order.argv = line.words;
		order.steps = line.counts;
	}
	compile_run(&order, c);
	want_object(result_fd, c);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Is the code of a unit that of lone builds? */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "worker/build/recipe/run.h"
#include "worker/build/unit/unit_notes.h"
#include "worker/build/unit/unit_parts.h"

/* The variant's own object, before it is linked. */
static bool
is_object_same(struct unit *u, unsigned k, int fd)
{
	const double	 ms = u->ms;
	struct recipe	*r = malloc(sizeof *r);
	enum status	 st = ST_INTERNAL;

	if (r != NULL && unit_lone_recipe(u, r, k))
		st = unit_run_first(u, r, fd);
	free(r);
	u->ms = ms;			/* the unit's own is shared among its variants */
	return st == ST_CANCELLED ||
	    (st == ST_OK && split_is_same_object(u->object, u->bytes, k, fd));
}

static bool
is_linked_same(struct unit *u, unsigned k, int fd)
{
	struct recipe	*r = malloc(sizeof *r);
	struct compiled	 c = { .status = ST_INTERNAL };
	bool		 same = false;

	if (r != NULL) {
		*r = *u->recipe[k];
		recipe_run(r, u->means->scratch, NULL, u->where, fd, &c);
		same = c.status == ST_CANCELLED || (c.status == ST_OK && split_is_same(u->object,
		    u->bytes, u->job->spec.routine.name, k, fd, u->member[k]->fd));
		free(c.words);
	}
	free(r);
	return same;
}

static bool
is_same_alone(struct unit *u, unsigned k, bool (*is_same)(struct unit *, unsigned, int))
{
	const int	fd = memfd_create("assay-object", MFD_CLOEXEC);
	const bool	same = fd != -1 && is_same(u, k, fd);

	if (fd != -1)
		(void)close(fd);
	return same;
}

/* The last version has the most before it; later units have any of theirs looked at. */
static unsigned
drawn_version(const struct unit *u, unsigned count)
{
	unsigned	k = 0;

	if (count == 0 || getrandom(&k, sizeof k, 0) != sizeof k)
		return u->n - 1;
	return k % u->n;
}

enum status
unit_check(struct unit *u)
{
	const unsigned	count = notes_count(u->units, u->job), k = drawn_version(u, count);

	if (count % UNIT_CHECKED != 0 || (is_same_alone(u, k, is_object_same) &&
	    is_same_alone(u, k, is_linked_same)))
		return ST_OK;
	notes_differs(u->units, u->job, u->means->cache);
	(void)fprintf(stderr, "warn compiler=%s routine=%s a variant's code in a unit differs from "
	    "that of a lone build: variants of this source and command line are built alone\n",
	    u->first->compiler->name, u->job->spec.routine.name);
	return ST_BAD_SPEC;
}

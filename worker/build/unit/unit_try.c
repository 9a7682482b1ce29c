/* SPDX-License-Identifier: Apache-2.0 */
/* A unit from its members to what the cache has of them. */
#include <stdlib.h>
#include <unistd.h>

#include "worker/build/unit/unit_notes.h"
#include "worker/build/unit/unit_parts.h"

static void
keep(struct unit *u)
{
	const struct unit_made	made = { u->n, u->ms / u->n };
	struct fault		why;

	for (unsigned k = 0; k < u->n; k++) {
		const struct member	*m = u->member[k];

		if (cache_put(u->means->cache, &m->name, m->fd, &why) == ST_OK)
			notes_made(u->units, u->job, &m->name, made);
	}
}

static void
give_up(struct unit *u)
{
	for (unsigned k = 0; k < u->n; k++)
		notes_alone(u->units, &u->member[k]->name);
	notes_failure(u->units, u->job);
}

static enum status
make_unit(struct unit *u)
{
	enum status	st = unit_compile(u);

	if (st == ST_OK)
		st = unit_link(u);
	if (st == ST_OK)
		st = unit_check(u);
	if (st == ST_OK)
		keep(u);
	else if (st != ST_CANCELLED)
		give_up(u);
	scratch_empty(u->means->scratch);
	return st == ST_CANCELLED ? st : ST_OK;
}

static void
unit_release(struct unit *u)
{
	for (unsigned k = 0; k < u->taken; k++) {
		struct member	*m = &u->all[k];

		if (m->fd != -1)
			(void)close(m->fd);
		if (!m->has_job)
			continue;
		recipe_release(&m->own);
		job_release(&m->job);
	}
	for (size_t i = 0; i < u->beside.nfiles; i++)
		free(u->beside.files[i].bytes);
	free(u->beside.files);
	free(u->barred.files);
	free(u->all);
	free(u->text);
	free(u->words);
	free(u->object);
}

enum status
units_try(struct units *units, const struct unit_means *means, const struct job *job,
    const struct recipe *first, const struct hash *name, const json_t *company)
{
	struct compile	where = means->where;
	struct unit	u = { .units = units, .means = means, .job = job, .first = first,
			    .where = &where };
	enum status	st = ST_OK;

	if (!unit_may_begin(units, job, first, name) ||
	    (u.all = calloc(UNIT_MOST, sizeof *u.all)) == NULL)
		return ST_OK;
	for (unsigned k = 0; k < UNIT_MOST; k++)
		u.all[k].fd = -1;
	where.wall_ms = job->build_timeout_ms < UNIT_WALL_MS ? job->build_timeout_ms :
	    UNIT_WALL_MS;
	unit_take_members(&u, name, company);
	if (u.n > 1)
		st = make_unit(&u);
	unit_release(&u);
	return st;
}
